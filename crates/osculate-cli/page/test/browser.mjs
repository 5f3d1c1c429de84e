// Tests the page in a real browser. Run by `cargo xtask test`:
//
//   node test/browser.mjs OSCULATE CHROMIUM FOLDER
//
// OSCULATE is the command, CHROMIUM a browser, FOLDER where pages are written.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync, inflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Frames, MOST_KEPT, facts as readFacts } from "../src/data.js";
import { balls, components } from "./models.mjs";

const [osculate, executablePath, folder] = process.argv.slice(2);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** Runs the command in the folder, and returns what it printed. */
function run(...words) {
  const ran = spawnSync(osculate, words, { cwd: folder, encoding: "utf8" });
  assert.equal(ran.status, 0, `osculate ${words.join(" ")}: ${ran.stderr}${ran.error ?? ""}`);
  return ran.stdout;
}
const json = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

const EVIL = "</script><img src=x onerror=\"document.title='broken'\">";
balls(join(folder, "two.gltf"), { names: [EVIL, "Ball & Co"], clips: [["Out", 1], ["</template><b>In", 0.5]] });
run("check", "two.gltf", "--report", "two.html", "--json", "two.json", "--picture", "two.png", "--colored", "two.glb");
run("check", "--frames", "40..60", "--report", "figure.html", "--json", "figure.json");
balls(join(folder, "large.gltf"), { names: ["A", "B"], clips: [["Pass", 99 / 30]], rings: 51, around: 100 });
run("check", "large.gltf", "--report", "large.html", "--json", "large.json");
// From one side to the other in one step, so that they meet between frames only.
balls(join(folder, "fast.gltf"), { names: ["A", "B"], clips: [["Fly", 2 / 30]], rings: 3, around: 4, way: [[3, 0, 0], [-3, 0.3, 0], [-3, 0.3, 0]] });
run("check", "fast.gltf", "--report", "fast.html", "--json", "fast.json");
balls(join(folder, "apart.gltf"), { names: ["A", "B"], clips: [] });
run("check", "apart.gltf", "--report", "apart.html", "--picture", "apart.png", "--colored", "apart.glb");

const LONG = ["mixamorig:LeftForeArmTwistHelperJointOfTheSecondaryDeformer1", "DEF-upper_arm_twist.L.001.secondary.deformation.skeleton.end"];
balls(join(folder, "long.gltf"), { names: LONG, clips: [["Run_Forward_InPlace_With_Sword_And_Shield_Variation_Number_Two", 1], ["In", 0.5]] });
run("check", "long.gltf", "--report", "long.html");

// One overlap that is known, and one that is not.
run("check", "two.gltf", "--clip", "Out", "--write-baseline", "known.toml");
run("check", "two.gltf", "--baseline", "known.toml", "--report", "mixed.html", "--json", "mixed.json");
// Two files with clips of the same name.
for (const name of ["one", "other"]) balls(join(folder, `${name}.gltf`), { names: ["A", "B"], clips: [["Walk", 1]] });
run("check", "one.gltf", "other.gltf", "--report", "files.html", "--json", "files.json");
// Names that a shell and the pattern of a pair would read.
const ODD = ["mixamorig:Left \"Hand\" $HOME", "ns::it's `id` *:"];
balls(join(folder, "odd names.gltf"), { names: ODD, clips: [["-$(exit 3): a b", 1], ["Other", 0.5]] });
run("check", "odd names.gltf", "--report", "odd.html", "--json", "odd.json");
// The frames of one animation, and options on which the answer depends.
const FRAMES = components(folder, [[3, 0, 0], [1.6, 0.2, 0], [1.3, 0.3, 0], [3, 0, 0]]);
const APART = ["--bodies", "components", "--thickness", "0.01", "--exclude-rings", "1", "--fps", "24", "--memory", "1GB", "--baseline", "first"];
run("check", ...FRAMES, ...APART, "--report", "components.html", "--json", "components.json");

/** The elements with data of a page, by their names. */
const templatesOf = (html) => new Map(Array.from(html.matchAll(/<template id="([^"]+)">([^<]*)<\/template>\n/g), ([all, id, text]) => [id, { all, text }]));

/** Lets the modules of the page read the data of a page here. */
function pretend(html) {
  const templates = templatesOf(html);
  globalThis.document = { getElementById: (id) => templates.has(id) && { content: { textContent: templates.get(id).text } } };
}

/** Writes a page again after a change of its facts, without the blocks of frames that nothing names any more. */
function edited(from, to, change) {
  let html = readFileSync(join(folder, from), "utf8");
  const templates = templatesOf(html);
  const { all, text } = templates.get("facts");
  const facts = JSON.parse(inflateSync(Buffer.from(text, "base64")));
  change(facts);
  const packed = deflateSync(JSON.stringify(facts)).toString("base64");
  html = html.replace(all, `<template id="facts">${packed}</template>\n`);
  const named = new Set(facts.clips.flatMap(({ blocks }) => blocks.map(({ block }) => block)));
  for (const [id, { all }] of templates) {
    if (id.startsWith("frames-") && !named.has(id)) html = html.replace(all, "");
  }
  writeFileSync(join(folder, to), html);
}

/** A length, a share, frames and the depth of an overlap in words, as people read them on the page. */
const inDigits = (x) => (x === 0 ? "0" : x.toFixed(Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x))))));
const inPercent = (x) => (100 * x).toFixed(2);
const runsOf = (report, pair) => report.episodes.slice(...pair.episodes).map((e) => [e.first_frame ?? e.worst_frame, e.last_frame ?? e.worst_frame]);
const inFrames = ([first, last]) => (first === last ? `${first}` : `${first}–${last}`);
const inWords = (pair) => `${inDigits(pair.depth)} deep, ${inPercent(pair.depth_share)}\u00a0% of the size`;

const GL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const launch = (args) => chromium.launch({ executablePath, args: ["--no-sandbox", ...args] });
const withGl = await launch(GL);
const withoutGl = await launch(["--disable-3d-apis"]);

/** Opens a page; it must not complain, nor ask for anything. */
async function open(name, { hash = "", browser = withGl, ...settings } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...settings });
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  const address = pathToFileURL(join(folder, name)).href;
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && url.split("#")[0] !== address) said.push(`request of ${url.slice(0, 200)}`);
  });
  const start = Date.now();
  await page.goto(address + hash);
  if (settings.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready]");
  page.opened = start;
  page.done = async () => {
    assert.deepEqual(said, []);
    await context.close();
  };
  page.frame_ = () => page.evaluate(() => Number(document.documentElement.dataset.frame));
  page.press = async (key) => {
    await page.keyboard.press(key);
    // However busy the machine is, the page has drawn what the key did.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForTimeout(120);
  };
  page.reaches = (frame) => page.waitForFunction((f) => Number(document.documentElement.dataset.frame) === f, frame, { timeout: 10_000 });
  return page;
}

/** Number of different colors in the picture, sampled. */
const colors = (page) =>
  page.evaluate(() => {
    const canvas = document.getElementById("canvas");
    const gl = canvas.getContext("webgl2");
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const seen = new Set();
    let sum = 0;
    for (let i = 0; i < pixels.length; i += 4 * 7) {
      seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      sum = (sum * 31 + pixels[i] + 7 * pixels[i + 1] + 13 * pixels[i + 2]) % 1_000_000_007;
    }
    return { n: seen.size, sum };
  });

/** The colors of the picture once it is drawn, which may be some time after the page is ready. */
async function drawn(page) {
  let found = await colors(page);
  for (let i = 0; i < 100 && found.n <= 50; i++) {
    await page.waitForTimeout(100);
    found = await colors(page);
  }
  assert.ok(found.n > 50, `${found.n} colors`);
  return found;
}

/** Waits until something holds. */
async function until(what, holds) {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(what);
}

/** Waits until the page says something: what a button or a link does may end after the click does. */
async function says(page, pattern) {
  let found;
  await until(`the page says ${pattern}`, async () => pattern.test((found = await page.textContent("#said")))).catch((error) => {
    throw new Error(`${error.message}, and not “${found}”`);
  });
}

/** The picture once it is another one. */
async function changed(page, { sum }, what) {
  let found;
  await until(`${what}: the picture changes`, async () => (found = await colors(page)).sum !== sum);
  return found;
}

/** Waits until the picture is a given one. */
const becomes = (page, { sum }, what) => until(`${what}: the picture is as before`, async () => (await colors(page)).sum === sum);

/** The picture once it stays the same. */
async function still(page) {
  let found = await drawn(page);
  await until("the picture stays the same", async () => {
    const before = found.sum;
    await page.waitForTimeout(150);
    found = await colors(page);
    return found.sum === before;
  });
  return found;
}

const camera = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("camera").split(",").map(Number));
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** What a link keeps: clip and frame, the problem, and the camera. */
const state = async (page) => ({
  now: await page.textContent("#now"),
  problem: await page.evaluate(() => document.querySelector("tr.chosen")?.dataset.problem ?? null),
  camera: await camera(page),
  up: await page.getAttribute("#up", "aria-pressed"),
});

/** The contacts at a frame of the first clip, as the page has them: points with their normals. */
async function contacts(name, frame) {
  pretend(readFileSync(join(folder, name), "utf8"));
  const { clips, files, problems } = await readFacts();
  const { marks } = await new Frames(clips, files.map(({ points }) => points)).frame(0, frame);
  const all = marks.flatMap((mark) => Array.from({ length: mark.contacts.length / 6 }, (_, i) => [...mark.contacts.subarray(6 * i, 6 * i + 6)]));
  return { all: all.map((c) => ({ point: c.slice(0, 3), normal: c.slice(3) })), radius: problems[0].radius };
}

/** A function that gives the pixel of a place: the camera is that of the address, 35 degrees high. */
async function projection(page) {
  const { camera, width, height } = await page.evaluate(() => {
    const { width, height } = document.getElementById("canvas");
    return { camera: new URLSearchParams(location.hash.slice(1)).get("camera").split(",").map(Number), width, height };
  });
  const minus = (a, b) => a.map((x, i) => x - b[i]);
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((x) => x / Math.sqrt(dot(a, a)));
  const eye = camera.slice(0, 3);
  const ahead = unit(minus(camera.slice(3), eye));
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  const scale = height / 2 / Math.tan((35 / 2) * (Math.PI / 180));
  return (place) => {
    const from = minus(place, eye);
    return [width / 2 + (scale * dot(from, right)) / dot(from, ahead), height / 2 + (scale * dot(from, up)) / dot(from, ahead)];
  };
}

/** Whether there is the color of contacts within a distance of each of some pixels; and how many there are. */
const touched = (page, places, distance) =>
  page.evaluate(
    ({ places, distance }) => {
      const { width, height } = document.getElementById("canvas");
      const gl = document.getElementById("canvas").getContext("webgl2");
      const pixels = new Uint8Array(4 * width * height);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const is = (x, y) => [216, 27, 96].every((c, i) => Math.abs(pixels[4 * (width * y + x) + i] - c) <= 24);
      let n = 0;
      for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) n += is(x, y);
      const near = ([px, py]) => {
        for (let y = Math.ceil(py - distance); y <= py + distance; y++) {
          for (let x = Math.ceil(px - distance); x <= px + distance; x++) {
            if (0 <= x && x < width && 0 <= y && y < height && is(x, y)) return true;
          }
        }
        return false;
      };
      return { n, near: places.map(near), size: [width, height] };
    },
    { places, distance },
  );

/**
 * Differences of the 3-D view and the first card, which another program has drawn: the share of pixels
 * that differ much, and for the two parts, what is enclosed, and ghosts, up to what nine of ten differ.
 */
const difference = (page) =>
  page.evaluate(() => {
    const side = 180;
    // The square in the middle, which is the same in both.
    const read = (source, width, height) => {
      const context = new OffscreenCanvas(side, side).getContext("2d");
      const a = Math.min(width, height);
      context.imageSmoothingQuality = "high";
      context.drawImage(source, (width - a) / 2, (height - a) / 2, a, a, 0, 0, side, side);
      return context.getImageData(0, 0, side, side).data;
    };
    const canvas = document.getElementById("canvas");
    const image = document.querySelector(".card img");
    const one = read(canvas, canvas.width, canvas.height);
    const two = read(image, image.naturalWidth, image.naturalHeight);
    const [inner, outer] = [[0.969, 0.976, 0.984], [0.827, 0.855, 0.89]];
    const stretch = side / Math.min(image.naturalWidth, image.naturalHeight);
    const kinds = { first: [], second: [], enclosed: [], ghost: [] };
    let [n, nFar] = [0, 0];
    for (let i = 0; i < one.length; i += 4) {
      const alpha = one[i + 3] / 255;
      if (alpha === 0) continue;
      // Ghosts let the background shine through: that of the picture.
      const x = ((i / 4) % side + 0.5 - side / 2) / stretch / image.naturalWidth;
      const y = (Math.floor(i / 4 / side) + 0.5 - side / 2) / stretch / image.naturalHeight + 0.1;
      const t = Math.min(1, 1.6 * Math.hypot(x, y));
      const most = Math.max(...[0, 1, 2].map((k) => {
        const behind = 255 * (inner[k] + (outer[k] - inner[k]) * t);
        return Math.abs(alpha * one[i + k] + (1 - alpha) * behind - two[i + k]);
      }));
      const [r, g, b] = two.slice(i, i + 3);
      const kind = alpha < 1 ? "ghost" : b > r + 40 ? "first" : g < 0.6 * r ? "enclosed" : r > b + 60 ? "second" : null;
      if (kind) kinds[kind].push(most);
      n++;
      nFar += most > 60;
    }
    const result = { n, far: nFar / n };
    for (const [kind, all] of Object.entries(kinds)) {
      all.sort((a, b) => a - b);
      result[kind] = { n: all.length, most: all[Math.floor(0.9 * all.length)] };
    }
    return result;
  });

const tests = {
  async "the numbers of the page are those of the JSON report"() {
    for (const name of ["two", "figure"]) {
      const report = json(`${name}.json`);
      const page = await open(`${name}.html`);
      const rows = await page.$$eval("table.problems tbody tr", (all) =>
        all.map((row) => ({ ...row.dataset, text: row.querySelector(".parts").textContent })),
      );
      const pairs = report.pairs;
      assert.equal(rows.length, pairs.length);
      assert.ok(rows.length > 0);
      rows.forEach((row, i) => {
        assert.equal(row.depth === "" ? null : Number(row.depth), pairs[i].depth);
        assert.equal(Number(row.worst), pairs[i].worst_frame);
        assert.equal(row.text, pairs[i].parts.join(" × "));
      });
      assert.match(await page.textContent(".answer"), new RegExp(`^${report.totals.problems} problem`));
      await page.done();
    }
  },

  async "what is to be read in rows, cards and captions is what the JSON report says"() {
    for (const name of ["two", "figure", "fast", "mixed"]) {
      const report = json(`${name}.json`);
      const page = await open(`${name}.html`);
      await page.selectOption("#filter-status", "all");
      const rows = await page.$$eval("table.problems tbody tr", (all) => all.map((row) => Array.from(row.cells, (cell) => cell.innerText)));
      const worst = (pair) => report.episodes.slice(...pair.episodes).find((e) => e.worst_frame === pair.worst_frame && e.depth === pair.depth);
      const expected = report.pairs.map((pair, i) => {
        const runs = runsOf(report, pair).map(inFrames);
        const nKnown = report.pairs.slice(0, i).filter(({ status }) => status !== "new").length;
        const open_ = worst(pair).first_frame === null ? "between frames" : `open, curve ${inDigits(pair.extent)}`;
        return [
          `${pair.status === "new" ? i + 1 : nKnown + 1}`,
          pair.parts.join(" × ") + { new: "", baseline: " in the baseline", throughout: " throughout the clip" }[pair.status],
          report.clips[pair.clip].name,
          [...runs.slice(0, 3), ...(runs.length > 3 ? [`${runs.length - 3} more`] : [])].join(", "),
          `${pair.worst_frame}`,
          pair.depth === null ? open_ : `${inDigits(pair.depth)} ${inPercent(pair.depth_share)} %`,
        ];
      });
      assert.deepEqual(rows, expected);
      const fresh = report.pairs.filter(({ status }) => status === "new");
      const cards = await page.$$eval(".card", (all) => all.map((card) => Array.from(card.querySelectorAll("p"), (p) => p.innerText.trim())));
      assert.equal(cards.length, Math.min(3, fresh.length));
      for (const [i, [parts, depth, place]] of cards.entries()) {
        const pair = fresh[i];
        assert.equal(parts, pair.parts.join(" × "));
        assert.equal(depth, pair.depth === null ? `between frames, after frame ${pair.worst_frame}` : inWords(pair));
        assert.equal(place, `${report.clips[pair.clip].name}, frame ${pair.worst_frame}`);
      }
      for (const [i, pair] of fresh.entries()) {
        await page.click(`table.problems tbody tr:nth-child(${i + 1}) button`);
        await until(`row ${i + 1}`, async () => {
          const words = await page.textContent("#caption");
          return words.startsWith(pair.parts.join(" × ")) && (pair.depth === null || words.endsWith(`worst frame: ${inWords(pair)}`));
        });
      }
      await page.done();
    }
  },

  async "bars stand where episodes are, as high as they are deep"() {
    for (const name of ["two", "figure", "mixed"]) {
      const report = json(`${name}.json`);
      const page = await open(`${name}.html`);
      const most = Math.max(...report.pairs.filter(({ status }) => status === "new").map((pair) => pair.severity_share));
      const ids = await page.$$eval("table.problems tbody tr", (all) => all.map((row) => row.dataset.problem));
      const expected = report.episodes.map((e) => {
        const { first_frame: first } = report.clips[e.clip];
        const [from, to] = [e.first_frame ?? e.worst_frame, e.last_frame ?? e.worst_frame];
        const height = Math.min(96, Math.max(8, (96 * e.severity_share) / most));
        return { id: ids[e.pair], clip: e.clip, x: from - first, width: to - from + 1, height, title: `${e.parts.join(" × ")}, ${inFrames([from, to])}` };
      });
      const found = await page.$$eval(".clips .timeline", (lines) =>
        lines.flatMap((svg) => {
          const box = svg.getBoundingClientRect();
          const n = svg.viewBox.baseVal.width;
          return Array.from(svg.querySelectorAll("rect[data-problem]"), (rect) => {
            // In frames and hundredths of what is inside of the border.
            const { left, right, top, bottom } = rect.getBoundingClientRect();
            const x = ((left - box.left - 1) / (box.width - 2)) * n;
            const width = ((right - left) / (box.width - 2)) * n;
            const height = ((bottom - top) / (box.height - 2)) * 100;
            const gap = box.bottom - 1 - bottom;
            return { id: rect.dataset.problem, clip: Number(svg.dataset.clip), x, width, height, gap, title: rect.textContent };
          });
        }),
      );
      const order = (a, b) => a.clip - b.clip || a.id.localeCompare(b.id) || a.x - b.x;
      assert.equal(found.length, expected.length);
      expected.sort(order);
      for (const [i, bar] of found.sort(order).entries()) {
        const right = expected[i];
        assert.deepEqual([bar.id, bar.clip, bar.title], [right.id, right.clip, right.title]);
        for (const key of ["x", "width", "height"]) assert.ok(Math.abs(bar[key] - right[key]) < 0.11, `${bar.title}: ${key} is ${bar[key]}, not ${right[key]}`);
        assert.ok(Math.abs(bar.gap) < 0.1, `${bar.title}: ${bar.gap} above the ground`);
      }
      await page.done();
    }
  },

  async "frames advance, and the picture with them"() {
    const page = await open("figure.html");
    const first = await drawn(page);
    const frame = await page.frame_();
    await page.press("ArrowRight");
    await page.reaches(frame + 1);
    await changed(page, first, "the next frame");
    await page.press(" ");
    await page.waitForFunction((f) => Number(document.documentElement.dataset.frame) !== f, frame + 1);
    await page.press(" ");
    const stopped = await page.frame_();
    await page.waitForTimeout(300);
    assert.equal(await page.frame_(), stopped);
    assert.match(await page.textContent("#now"), new RegExp(`frame ${stopped} of 40 to 60`));
    await page.done();
  },

  async "every key does what the help says"() {
    const page = await open("figure.html");
    const { pairs } = json("figure.json");
    const chosen = () => page.$eval("tr.chosen", (row) => Number(row.dataset.rank));
    assert.equal(await chosen(), 1);
    await page.press("n");
    await page.reaches(pairs[1].worst_frame);
    assert.equal(await chosen(), 2);
    await page.press("p");
    await page.reaches(pairs[0].worst_frame);
    await page.press("p");
    await page.reaches(pairs[pairs.length - 1].worst_frame);
    await page.press("Home");
    await page.reaches(40);
    await page.press("ArrowLeft");
    assert.equal(await page.frame_(), 40);
    await page.press("Shift+ArrowRight");
    await page.reaches(50);
    await page.press("End");
    await page.reaches(60);
    await page.press("n");
    await page.press("0");
    const plain = await still(page);
    for (const act of [(key) => page.press(key), (_, id) => page.click(`#${id}`)]) {
      for (const [key, id] of [["g", "ghost"], ["h", "heat"], ["w", "wire"], ["b", "bones"], ["u", "up"]]) {
        const before = await page.getAttribute(`#${id}`, "aria-pressed");
        await act(key, id);
        await changed(page, plain, id);
        assert.notEqual(await page.getAttribute(`#${id}`, "aria-pressed"), before, id);
        await act(key, id);
        await becomes(page, plain, id);
        assert.equal(await page.getAttribute(`#${id}`, "aria-pressed"), before, id);
      }
    }
    await page.press("n");
    const near = await camera(page);
    await page.press("0");
    await page.press("l");
    assert.notDeepEqual(await camera(page), near);
    await says(page, /link is on the clipboard|Copy this/);
    await page.press("f");
    await page.press("l");
    assert.deepEqual(await camera(page), near);
    await page.press("?");
    assert.ok(await page.$eval("#help", (help) => help.open));
    await page.press("Escape");
    assert.ok(!(await page.$eval("#help", (help) => help.open)));
    await page.press("Escape");
    assert.equal(await page.$("tr.chosen"), null);
    await page.done();
  },

  async "rows, bars, cards and buttons can be clicked"() {
    const page = await open("figure.html");
    const { pairs } = json("figure.json");
    await page.click("table.problems tbody tr:nth-child(3) td.n");
    await page.reaches(pairs[2].worst_frame);
    assert.match(await page.textContent("#caption"), new RegExp(pairs[2].parts[0].replaceAll(".", "\\.")));
    await page.click(".card:nth-child(2) button");
    await page.reaches(pairs[1].worst_frame);
    const id = await page.$eval("tbody tr:nth-child(1)", (row) => row.dataset.problem);
    await page.$eval(`#line rect[data-problem="${id}"]`, (bar) => bar.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
    await page.reaches(pairs[0].worst_frame);
    await page.click("#forward");
    await page.reaches(pairs[0].worst_frame + 1);
    await page.$eval("#scrub", (range) => {
      range.value = 44;
      range.dispatchEvent(new Event("input"));
    });
    await page.reaches(44);
    const before = await still(page);
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 4 });
    await page.mouse.up();
    await changed(page, before, "a drag");
    await page.done();
  },

  async "buttons below the picture, timelines and the wheel"() {
    const page = await open("figure.html", CLIPBOARD);
    const { pairs, episodes } = json("figure.json");
    const chosen = () => page.$eval("tr.chosen", (row) => Number(row.dataset.rank));
    await page.click("#next");
    await page.reaches(pairs[1].worst_frame);
    assert.equal(await chosen(), 2);
    await page.click("#previous");
    await page.reaches(pairs[0].worst_frame);
    assert.equal(await chosen(), 1);
    await page.click("#back");
    await page.reaches(pairs[0].worst_frame - 1);
    await page.click("#play");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    await until("frames pass", async () => (await page.frame_()) !== pairs[0].worst_frame - 1);
    await page.click("#play");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play");

    const near = await still(page);
    await page.click("#whole");
    const whole = await changed(page, near, "Whole");
    await page.click("#copy-link");
    await says(page, /on the clipboard/);
    assert.equal(await clipboard(page), await page.evaluate(() => location.href));
    await page.click("#help-button");
    assert.ok(await page.isVisible("#help"));
    await page.click("#help button");
    assert.ok(!(await page.isVisible("#help")));

    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const far = await camera(page);
    await page.mouse.wheel(0, -300);
    await changed(page, whole, "the wheel");
    const distance = (c) => Math.hypot(c[0] - c[3], c[1] - c[4], c[2] - c[5]);
    await until("the camera is nearer", async () => distance(await camera(page)) < 0.95 * distance(far));

    // A point of each bar that no other bar covers, if there is one.
    const bars = await page.$$eval(".clips rect[data-problem]", (all) =>
      all.flatMap((rect, i) => {
        rect.scrollIntoView({ block: "center" });
        const { left, top, width, height } = rect.getBoundingClientRect();
        for (let k = 1; k < 20; k++) {
          for (let l = 1; l < 20; l++) {
            const [x, y] = [left + (width * k) / 20, top + (height * l) / 20];
            if (document.elementFromPoint(x, y) === rect) return [{ i, x, y, id: rect.dataset.problem, worst: Number(rect.dataset.worst) }];
          }
        }
        return [];
      }),
    );
    assert.ok(bars.length >= 3, `${bars.length} of ${episodes.length} bars can be reached`);
    for (const { i, x, y, id, worst } of bars) {
      await page.press("Escape");
      assert.equal(await page.$(".picked"), null);
      await page.$$eval(".clips rect[data-problem]", (all, i) => all[i].scrollIntoView({ block: "center" }), i);
      await page.mouse.click(x, y);
      await page.reaches(worst);
      assert.equal(await page.$eval("tr.chosen", (row) => row.dataset.problem), id);
      // The bars of the problem stand before all others, and let clicks through.
      const inFront = await page.$$eval(".timeline", (all, id) => all.map((svg) => [svg.querySelectorAll(`[data-problem="${id}"]`).length, svg.querySelectorAll("[data-problem] ~ .picked").length, svg.querySelectorAll(".picked ~ [data-problem]").length]), id);
      const n = runsOf(json("figure.json"), pairs[(await chosen()) - 1]).length;
      assert.deepEqual(inFront, [[n, n, 0], [n, n, 0]]);
    }
    // Beside the bars, a click goes to a frame.
    const line = await page.locator("#line svg").boundingBox();
    await page.mouse.click(line.x + (line.width * (57.5 - 40)) / 21, line.y + 3);
    await page.reaches(57);
    await page.done();
  },

  async "an acceptance can be taken back"() {
    const page = await open("figure.html");
    const shown = () => page.$$eval("table.problems tbody tr:not([hidden])", (all) => all.length);
    const kept = () => page.evaluate(() => Object.values(localStorage).flatMap((text) => JSON.parse(text)));
    const before = await shown();
    const id = await page.$eval("tr.chosen", (row) => row.dataset.problem);
    await page.press("a");
    assert.deepEqual([await shown(), await kept()], [before - 1, [id]]);
    assert.ok(await page.$eval("tr.chosen", (row) => row.classList.contains("accepted")));
    await page.press("a");
    await says(page, /No longer accepted/);
    assert.deepEqual([await shown(), await kept()], [before, []]);
    assert.equal(await page.$("tr.accepted, rect.accepted"), null);
    await page.click("#export");
    await says(page, /Nothing is accepted yet/);
    await page.done();
  },

  async "the 3-D view shows what the picture without a browser shows"() {
    // Two balls: no ghosts, and all colors of depths.
    const plain = await open("two.html");
    await drawn(plain);
    const two = await difference(plain);
    const isSame = ({ n, most }, atLeast, atMost) => n > atLeast && most <= atMost;
    assert.ok(isSame(two.first, 400, 3) && isSame(two.second, 2000, 3) && isSame(two.enclosed, 1000, 3) && two.far < 0.005, JSON.stringify(two));
    await plain.done();
    // A figure: ghosts. Depths are shares of the largest of all frames here, and of one frame in the card.
    const page = await open("figure.html");
    await drawn(page);
    const one = await difference(page);
    assert.ok(isSame(one.first, 1500, 5) && isSame(one.ghost, 10_000, 2) && one.far < 0.0025, JSON.stringify(one));
    await page.press("n");
    await until("another problem looks otherwise", async () => (await difference(page)).far > 0.03);
    await page.done();
  },

  async "contacts are points with normals"() {
    const report = json("fast.json");
    assert.deepEqual(report.pairs.map(({ frames, worst_frame }) => [frames, worst_frame]), [[[], 0]]);
    const { all, radius } = await contacts("fast.html", 0);
    const isAt = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-6);
    assert.ok(all.some(({ point }) => isAt(point, report.pairs[0].point)), "the contact of the report is there");
    const page = await open("fast.html");
    assert.match(await page.textContent("#caption"), /between frames, after frame 0/);
    await page.press("f");
    await page.press("l");
    const project = await projection(page);
    const { size } = await touched(page, [], 0);
    const isIn = (p) => p.every((x, i) => 12 < x && x < size[i] - 12);
    // Points, and the far halves of normals, if they are away from all points.
    const points = all.map(({ point }) => project(point));
    const seen = points.filter(isIn);
    assert.ok(seen.length >= 5, `${seen.length} contacts`);
    assert.deepEqual((await touched(page, seen, 1)).near, seen.map(() => true));
    const isFree = (p) => isIn(p) && points.every((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) > 9);
    const along = (share) => ({ point, normal }) => project(point.map((x, i) => x + share * 0.12 * radius * normal[i]));
    const ends = all.flatMap((contact) => [0.6, 0.75, 0.9].map((share) => along(share)(contact))).filter(isFree);
    assert.ok(ends.length >= 5, `${ends.length} places on normals`);
    assert.deepEqual((await touched(page, ends, 2)).near, ends.map(() => true));
    // A normal ends, and does not go the other way; crossing ones aside, most places beyond are free.
    const beyond = all.flatMap((contact) => [-0.8, 1.4].map((share) => along(share)(contact))).filter(isFree);
    const { near } = await touched(page, beyond, 1);
    assert.ok(near.filter((is) => is).length < near.length / 3, `${near.filter((is) => is).length} of ${near.length}`);
    await page.press("ArrowRight");
    await page.reaches(1);
    await until("no contact at frame 1", async () => (await touched(page, [], 0)).n === 0);
    await page.done();
  },

  async "sorting and filters"() {
    const page = await open("figure.html");
    const { pairs } = json("figure.json");
    const shown = () => page.$$eval("table.problems tbody tr:not([hidden])", (all) => all.map((row) => Number(row.dataset.rank)));
    await page.click("th[data-sort=worst] button");
    const order = (await shown()).map((rank) => pairs[rank - 1].worst_frame);
    assert.deepEqual(order, [...order].sort((a, b) => b - a));
    await page.fill("#filter-part", "hand.l");
    assert.deepEqual(
      (await shown()).sort(),
      pairs.flatMap(({ parts }, i) => (parts.includes("Hand.L") ? [i + 1] : [])).sort(),
    );
    await page.fill("#filter-part", "");
    await page.fill("#filter-depth", String(pairs[1].depth));
    assert.deepEqual((await shown()).sort(), [1, 2]);
    await page.done();
  },

  async "every column sorts, both ways"() {
    const page = await open("figure.html");
    const { pairs } = json("figure.json");
    // Numbers of the rows, and for each column what it is sorted by, from the JSON report.
    const shown = () => page.$$eval("table.problems tbody tr", (all) => all.map((row) => Number(row.cells[0].innerText) - 1));
    const columns = {
      rank: (i) => i,
      names: (i) => pairs[i].parts.join(" "),
      first: (i) => Math.min(...pairs[i].frames.flat(), pairs[i].frames.length ? Infinity : pairs[i].worst_frame),
      worst: (i) => pairs[i].worst_frame,
      severity: (i) => pairs[i].severity_share,
    };
    const heads = await page.$$eval("table.problems th:not([data-sort=clip])", (all) => all.map((head) => head.dataset.sort));
    assert.deepEqual(heads, Object.keys(columns));
    for (const [name, value] of Object.entries(columns)) {
      const compare = (a, b) => (typeof value(a) === "string" ? value(a).localeCompare(value(b)) : value(a) - value(b));
      for (const [direction, sign] of [["descending", -1], ["ascending", 1]]) {
        await page.click(`th[data-sort=${name}] button`);
        assert.equal(await page.getAttribute(`th[data-sort=${name}]`, "aria-sort"), direction);
        assert.equal(await page.$$eval("th[aria-sort]", (all) => all.length), 1);
        const order = await shown();
        assert.deepEqual([...order].sort((a, b) => a - b), pairs.map((_, i) => i));
        order.slice(1).forEach((i, k) => assert.ok(sign * compare(order[k], i) <= 0, `${name}, ${direction}: ${order}`));
      }
    }
    // The keys follow the table.
    await page.click("th[data-sort=worst] button");
    await page.press("Escape");
    await page.press("n");
    assert.equal(await page.$eval("tr.chosen", (row) => Number(row.cells[0].innerText) - 1), (await shown())[0]);
    await page.done();
    const several = await open("two.html");
    const clips = () => several.$$eval("table.problems tbody tr", (all) => all.map((row) => row.cells[2].innerText));
    const names = json("two.json").pairs.map(({ clip }) => json("two.json").clips[clip].name);
    assert.equal(new Set(names).size, 2);
    await several.click("th[data-sort=clip] button");
    assert.deepEqual(await clips(), [...names].sort((a, b) => b.localeCompare(a)));
    await several.click("th[data-sort=clip] button");
    assert.deepEqual(await clips(), [...names].sort((a, b) => a.localeCompare(b)));
    await several.done();
  },

  async "filters by clip and status, and what is known"() {
    const page = await open("mixed.html");
    const { pairs, clips } = json("mixed.json");
    assert.deepEqual(pairs.map(({ status }) => status), ["new", "baseline"]);
    const nameOf = (i) => clips[pairs[i].clip].name;
    const shown = async () => {
      const rows = page.locator("table.problems tbody tr:visible");
      return (await rows.evaluateAll((all) => all.map((row) => row.cells[2].innerText))).sort();
    };
    const count = () => page.textContent("#shown");
    const all = [nameOf(0), nameOf(1)].sort();
    assert.deepEqual(await shown(), [nameOf(0)]);
    const cases = { open: [nameOf(0)], new: [nameOf(0)], known: [nameOf(1)], accepted: [], all };
    for (const [status, expected] of Object.entries(cases)) {
      await page.selectOption("#filter-status", status);
      assert.deepEqual(await shown(), expected, status);
      assert.equal(await count(), `all ${expected.length} shown`);
    }
    assert.deepEqual(await page.$$eval("#filter-clip option", (all) => all.map((option) => option.textContent)), ["all", ...clips.map(({ name }) => name)]);
    for (const i of [0, 1]) {
      await page.selectOption("#filter-clip", { label: nameOf(i) });
      assert.deepEqual(await shown(), [nameOf(i)]);
      assert.equal(await count(), "1 of 2 shown");
    }
    await page.selectOption("#filter-clip", { label: "all" });
    // Keys and rows reach what is known, and its bars are gray.
    await page.click("#known tbody tr button");
    await page.reaches(pairs[1].worst_frame);
    assert.match(await page.textContent("#now"), /: no problem here$/);
    assert.equal(await page.$$eval(".clips rect.known", (bars) => bars.length), pairs[1].episodes[1] - pairs[1].episodes[0]);
    await page.press("n");
    await page.reaches(pairs[0].worst_frame);
    await page.press("a");
    await page.selectOption("#filter-status", "accepted");
    assert.deepEqual(await shown(), [nameOf(0)]);
    await page.selectOption("#filter-status", "open");
    assert.deepEqual(await shown(), []);
    await page.done();
  },

  async "a copied link opens the same clip, frame, problem and camera"() {
    const page = await open("files.html", CLIPBOARD);
    const same = async (what) => {
      await page.click("#copy-link");
      const link = await clipboard(page);
      const again = await open("files.html", { hash: link.slice(link.indexOf("#")) });
      assert.deepEqual(await state(again), await state(page), what);
      await again.done();
    };
    const drag = async () => {
      const box = await page.locator("#canvas").boundingBox();
      const before = await still(page);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 - 70, box.y + box.height / 2 + 30, { steps: 4 });
      await page.mouse.up();
      await changed(page, before, "dragging");
    };
    // The second of two clips of the same name, without a problem.
    await page.press("Escape");
    const line = page.locator(".clips .timeline").nth(1);
    await line.scrollIntoViewIfNeeded();
    const box = await line.boundingBox();
    await page.mouse.click(box.x + box.width - 4, box.y + 4);
    await until("the other clip", async () => (await page.textContent("#now")).startsWith("other.gltf: Walk"));
    await same("without a problem");
    await drag();
    await same("turned");
    await page.click("table.problems tbody tr:nth-child(2) button");
    await page.press("ArrowRight");
    await drag();
    await same("a problem, beside its worst frame");
    await page.click("#up");
    await drag();
    await same("with the other axis up");
    // A problem is chosen, and a clip is shown in which it is not.
    await page.click("table.problems tbody tr:nth-child(1) button");
    const shown = (await page.textContent("#now")).split(":")[0];
    const other = shown === "one.gltf" ? 1 : 0;
    const away = await page.locator(".clips .timeline").nth(other).boundingBox();
    await page.mouse.click(away.x + 3, away.y + 4);
    await until("the other clip", async () => !(await page.textContent("#now")).startsWith(shown));
    await same("a problem of another clip");
    await page.done();
  },

  async "a link opens its problem"() {
    const page = await open("figure.html");
    await page.press("n");
    const link = await page.evaluate(() => location.hash);
    const frame = await page.frame_();
    await page.done();
    const again = await open("figure.html", { hash: link });
    assert.equal(await again.$eval("tr.chosen", (row) => row.dataset.rank), "2");
    assert.equal(await again.frame_(), frame);
    assert.equal(await again.evaluate(() => location.hash), link);
    await again.done();
    const other = await open("figure.html", { hash: "#clip=figure&frame=43&problem=00000000" });
    await says(other, /no problem 00000000/);
    assert.equal(await other.frame_(), 43);
    await other.done();
    const odd = await open("figure.html", { hash: "#clip=%3Cb%3E&frame=1e9&camera=1,2&problem=" });
    await says(odd, /no clip “<b>”/);
    await odd.done();
  },

  async "markup in names stays text"() {
    const page = await open("two.html");
    assert.equal(await page.$("img[src=x]"), null);
    assert.equal(await page.$("b"), null);
    assert.ok((await page.textContent("table.problems")).includes(EVIL));
    assert.ok((await page.textContent("#caption")).includes(EVIL));
    assert.ok((await page.textContent(".clips")).includes("</template><b>In"));
    assert.notEqual(await page.title(), "broken");
    await page.done();
  },

  async "what is accepted is exported as a baseline that check reads"() {
    const page = await open("two.html");
    const before = await page.$$eval("table.problems tbody tr:not([hidden])", (all) => all.length);
    await page.press("a");
    await says(page, /Accepted/);
    assert.equal(await page.$$eval("table.problems tbody tr:not([hidden])", (all) => all.length), before - 1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#export")]);
    const name = join(folder, "baseline.toml");
    await download.saveAs(name);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    assert.equal(await page.$$eval("tr.accepted", (all) => all.length), 1);
    await page.done();
    run("check", "two.gltf", "--baseline", "baseline.toml", "--json", "after.json");
    const [was, is] = [json("two.json"), json("after.json")];
    assert.equal(is.totals.problems, was.totals.problems - 1);
    assert.equal(is.totals.known, was.totals.known + 1);
  },

  async "the command of a problem shows it again"() {
    const again = async (name, expected) => {
      const report = json(`${name}.json`);
      const page = await open(`${name}.html`, CLIPBOARD);
      for (const [i, pair] of report.pairs.entries()) {
        await page.click(`table.problems tbody tr:nth-child(${i + 1}) button`);
        await page.click("#copy-command");
        const command = await clipboard(page);
        assert.match(command, expected);
        const shell = spawnSync("sh", ["-c", command.replace(/^osculate/, '"$OSCULATE"') + " --json again.json"], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, OSCULATE: osculate },
        });
        assert.equal(shell.status, 0, `${command}: ${shell.stderr}`);
        const { pairs, clips } = json("again.json");
        assert.deepEqual(clips.map(({ name }) => name), [report.clips[pair.clip].name], command);
        const facts = ({ parts, worst_frame, depth, extent, point }) => ({ parts, worst_frame, depth, extent, point });
        assert.deepEqual(pairs.map(facts), [facts(pair)], command);
      }
      await page.done();
    };
    await again("two", /^osculate check two\.gltf --clip /);
    await again("fast", /^osculate check fast\.gltf --clip Fly /);
    await again("odd", /^osculate check 'odd names\.gltf' --clip(='-\$\(exit 3\): a b'| Other) /);
    assert.ok(json("components.json").pairs.length > 0);
    await again("components", / --memory 1000000000 --fps 24 --bodies components --exclude-rings 1 --thickness 0\.01 --baseline none /);
  },

  async "long names stay in their places, and break where their words end"() {
    for (const viewport of [{ width: 360, height: 740 }, { width: 1280, height: 800 }]) {
      const page = await open("long.html", { viewport });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width);
      const found = await page.evaluate(() => {
        const box = (id) => document.getElementById(id).getBoundingClientRect();
        const overlaps = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const now = document.getElementById("now");
        const bad = [];
        for (const element of document.querySelectorAll(".parts, .caption span, td:nth-child(3), .clips .name, #now")) {
          const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(walk.currentNode);
            const lines = new Set(Array.from(range.getClientRects(), (rect) => rect.top));
            // A word of a name is in one line.
            if (lines.size > 1 && !walk.currentNode.data.includes(" ")) bad.push(walk.currentNode.data);
          }
        }
        const legend = document.getElementById("legend-high").parentElement.getBoundingClientRect();
        return { bad, covered: overlaps(legend, box("caption")), wide: now.scrollWidth > now.clientWidth };
      });
      assert.deepEqual(found, { bad: [], covered: false, wide: false });
      await page.done();
    }
  },

  async "a phone"() {
    const page = await open("figure.html", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    const box = await page.locator("#canvas").boundingBox();
    assert.ok(box.width > 300 && box.height > 200 && box.y < 300, JSON.stringify(box));
    await drawn(page);
    await page.done();
  },

  async "without WebGL the tables are there"() {
    const page = await open("figure.html", { browser: withoutGl });
    assert.ok(await page.isVisible("#no-view"));
    assert.equal(await page.$$eval("table.problems tbody tr", (all) => all.length), json("figure.json").pairs.length);
    await page.press("n");
    assert.equal(await page.$eval("tr.chosen", (row) => row.dataset.rank), "2");
    await page.done();
  },

  async "without scripts the verdict, the pictures and the tables are there"() {
    const page = await open("figure.html", { javaScriptEnabled: false });
    assert.ok(await page.isVisible(".answer"));
    assert.equal(await page.locator("table.problems tbody tr:visible").count(), json("figure.json").pairs.length);
    assert.equal(await page.locator(".card img:visible").count(), 3);
    assert.ok(!(await page.isVisible("#stage")));
    await page.done();
  },

  async "a clean file has a page, too"() {
    const page = await open("apart.html");
    assert.match(await page.textContent(".answer"), /^Clean/);
    await drawn(page);
    await page.press("n");
    await says(page, /No problem/);
    await page.done();
  },

  async "frames that were left out are named, and nothing fails"() {
    // Frames 40 to 55 and 56 to 60 are blocks; only the first is kept.
    edited("figure.html", "short.html", ({ clips: [clip] }) => {
      assert.deepEqual(clip.blocks.map(({ first, count }) => [first, count]), [[40, 16], [56, 5]]);
      clip.blocks.pop();
    });
    const page = await open("short.html", { hash: "#frame=54" });
    await page.press("ArrowRight");
    await page.reaches(55);
    await page.press("ArrowRight");
    await says(page, /^Frame 56 was left out .* this is frame 55\.$/);
    await page.press("End");
    await says(page, /^Frame 60 was left out/);
    assert.equal(await page.frame_(), 55);
    // Playing starts again where frames are. Time passes in steps of about a frame.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press(" ");
    await until("frames pass", async () => {
      await page.clock.runFor(40);
      await page.waitForTimeout(100);
      return (await page.frame_()) < 55;
    });
    await page.done();

    // A gap in the middle is passed over.
    edited("large.html", "gap.html", ({ clips: [clip] }) => {
      clip.blocks = clip.blocks.filter(({ first }) => first !== 16 && first !== 32);
    });
    const gap = await open("gap.html", { hash: "#frame=15" });
    await gap.press("ArrowRight");
    await gap.reaches(48);
    await says(gap, /^Frame 16 was left out .* this is frame 48\.$/);
    await gap.press("ArrowLeft");
    await gap.reaches(15);
    await gap.done();

    // A whole clip; also as the first thing that is shown, and by a link.
    for (const hash of ["", "#clip=%3C%2Ftemplate%3E%3Cb%3EIn&camera=4,3,9,1,0,0"]) {
      edited("two.html", "rest.html", ({ clips }) => (clips[1].blocks = []));
      const rest = await open("rest.html", { hash });
      if (!hash) await drawn(rest);
      const { pairs } = json("two.json");
      const i = pairs.findIndex(({ clip }) => clip === 1);
      await rest.click(`table.problems tbody tr:nth-child(${i + 1}) button`);
      await says(rest, /^This clip was left out/);
      assert.match(await rest.textContent("#now"), new RegExp(`^</template><b>In, frame ${pairs[i].worst_frame} of 0 to 15`));
      assert.match(await rest.textContent("#caption"), /its curve and depths are not drawn in this frame$/);
      await until("nothing of another clip is drawn", async () => (await colors(rest)).n === 1);
      for (const key of ["f", "0", "g", "h", "w", "u", "ArrowRight", "End", "l"]) await rest.press(key);
      assert.equal((await colors(rest)).n, 1);
      await rest.click(`table.problems tbody tr:nth-child(${2 - i}) button`);
      await rest.reaches(pairs[1 - i].worst_frame);
      await drawn(rest);
      await rest.done();
    }
  },

  async "the page says where problems are not drawn"() {
    const page = await open("figure.html");
    await page.press("h");
    await until("the caption", async () => (await page.textContent("#caption")) === "The largest depth over the whole clip");
    await page.done();
    // As if there were so many that the first one is drawn in no frame from 55 on.
    const [{ worst_frame: worst }] = json("figure.json").pairs;
    assert.ok(worst < 55);
    edited("figure.html", "many.html", ({ clips, problems: [first] }) => {
      clips[0].isHeatWhole = false;
      first.episodes.push({ from: 60, to: 60, worst: 60, depth: 0.1, point: first.point });
      first.episodes.forEach((episode) => (episode.to = Math.min(episode.to, 54)));
      first.episodes.at(-1).to = 60;
    });
    const many = await open("many.html");
    assert.match(await many.textContent("#caption"), /worst frame: [^;]*$/);
    await many.press("End");
    await many.reaches(60);
    const marks = await (async () => {
      pretend(readFileSync(join(folder, "many.html"), "utf8"));
      const { clips, files } = await readFacts();
      return (await new Frames(clips, files.map(({ points }) => points)).frame(0, 60)).marks;
    })();
    assert.ok(marks.every(({ problem }) => problem !== 0));
    assert.match(await many.textContent("#caption"), /its curve and depths are not drawn in this frame$/);
    await many.press("h");
    await until("the caption", async () => /frames in which problems are drawn; others are left out/.test(await many.textContent("#caption")));
    await many.done();
  },

  async "decoded frames are kept up to a limit"() {
    const nPoints = 40_000;
    const [count, nBlocks] = [16, 12];
    // Blocks without marks, whose points do not move.
    const bytes = Buffer.alloc(20 + 6 * nPoints * count + 4);
    bytes.writeUInt32LE(count, 0);
    const text = deflateSync(bytes).toString("base64");
    globalThis.document = { getElementById: () => ({ content: { textContent: text } }) };
    const blocks = Array.from({ length: nBlocks }, (_, i) => ({ first: count * i, count, block: `frames-0-${i}` }));
    const frames = new Frames([{ file: 0, blocks }, { file: 1, blocks: [{ first: 0, count: 1, block: "large" }] }], [nPoints, 4_000_000]);
    const most = Math.floor(MOST_KEPT / (3 * nPoints * count));
    assert.ok(2 < most && most < nBlocks);
    for (let i = 0; i < nBlocks; i++) {
      for (const frame of [count * i, count * i + 15]) {
        assert.equal((await frames.frame(0, frame)).grid.length, 3 * nPoints);
        assert.equal(frames.kept.size, Math.min(i + 1, most));
      }
    }
    // What was used last stays.
    await frames.frame(0, count * (nBlocks - 2));
    await frames.frame(0, 0);
    const name = (i) => `frames-0-${(i + nBlocks) % nBlocks}`;
    assert.deepEqual([...frames.kept.keys()].slice(-3), [name(-1), name(-2), name(0)]);
    assert.equal(frames.kept.size, most);
    // Two blocks stay in any case: one is shown, the other was.
    frames.kept.get("frames-0-0").size = 2 * MOST_KEPT;
    await frames.frame(0, count);
    assert.deepEqual([...frames.kept.keys()], ["frames-0-0", "frames-0-1"]);
  },

  async "reduced motion is respected"() {
    // Time passes only when the test says so. A clip has 30 frames in a second; four are shown.
    for (const [reducedMotion, isCalm] of [["reduce", true], ["no-preference", false]]) {
      const page = await open("figure.html", { reducedMotion, hash: "#frame=40" });
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.clock.runFor(100);
      await page.keyboard.press(" ");
      await page.clock.runFor(200);
      await page.waitForTimeout(500);
      const advanced = await page.frame_();
      assert.equal(advanced === 40, isCalm, `${reducedMotion}: frame ${advanced}`);
      await page.clock.runFor(100);
      await until("a frame has passed", async () => (await page.frame_()) > 40);
      if (isCalm) assert.equal(await page.frame_(), 41);
      await page.done();
    }
  },

  async "focus is visible wherever the Tab key goes"() {
    const page = await open("mixed.html");
    const seen = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const { activeElement: element } = document;
        if (element === document.body) return null;
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
        const { width, height } = element.getBoundingClientRect();
        const name = element.id || element.textContent.trim().slice(0, 30) || element.className;
        return { name, outlineStyle, outlineWidth: parseFloat(outlineWidth), outlineColor, isThere: width > 0 && height > 0 };
      });
      if (found === null) break;
      assert.ok(found.isThere && found.outlineStyle === "solid" && found.outlineWidth >= 2, JSON.stringify(found));
      assert.equal(found.outlineColor, "rgb(11, 92, 173)");
      seen.add(found.name);
    }
    for (const name of ["play", "scrub", "ghost", "copy-link", "filter-part", "filter-status", "export", "help-button"]) assert.ok(seen.has(name), `${name}: ${[...seen]}`);
    // Not where the pointer has put it.
    await page.click("#forward");
    assert.equal(await page.$eval("#forward", (button) => getComputedStyle(button).outlineStyle), "none");
    await page.done();
  },

  async "screen readers hear each frame, but not while it plays"() {
    const page = await open("figure.html", { hash: "#frame=44" });
    const report = json("figure.json");
    const words = (frame) => {
      const here = report.pairs.filter((pair) => pair.status === "new" && runsOf(report, pair).some(([first, last]) => first <= frame && frame <= last));
      const n = here.length === 0 ? "no problem" : here.length === 1 ? "1 problem" : `${here.length} problems`;
      return `figure, frame ${frame} of 40 to 60, ${((frame - 40) / report.clips[0].fps).toFixed(2)}\u00a0s: ${n} here`;
    };
    for (const frame of [44, 45, 46]) {
      await page.reaches(frame);
      assert.equal(await page.textContent("#now"), words(frame));
      assert.equal(await page.getAttribute("#now", "aria-live"), "polite");
      assert.equal(await page.getAttribute("#scrub", "aria-valuetext"), `frame ${frame}`);
      if (frame < 46) await page.press("ArrowRight");
    }
    await page.press(" ");
    await until("silence", async () => (await page.getAttribute("#now", "aria-live")) === "off");
    await page.press(" ");
    await page.press("Home");
    await page.reaches(40);
    assert.equal(await page.getAttribute("#now", "aria-live"), "polite");
    assert.equal(await page.textContent("#now"), words(40));
    await page.done();
  },

  async "axe finds no serious fault"() {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    for (const settings of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 360, height: 740 } }]) {
      const page = await open("figure.html", { bypassCSP: true, ...settings });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(bad.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`), []);
      await page.done();
    }
  },

  async "20,000 triangles in 100 frames: size, first picture and memory"() {
    const { triangles } = json("large.json").model;
    const [clip] = json("large.json").clips;
    assert.deepEqual([triangles, clip.last_frame - clip.first_frame + 1], [20_000, 100]);
    const size = statSync(join(folder, "large.html")).size;
    assert.ok(size <= 8e6, `${size} bytes`);
    const page = await open("large.html");
    await drawn(page);
    const first = Date.now() - page.opened;
    await page.press("Home");
    for (let frame = 0; frame < 99; frame += 10) await page.press("Shift+ArrowRight");
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
    // Typed arrays are kept beside the heap.
    const memory = usedSize + backingStorageSize;
    console.log(`   ${(size / 1e6).toFixed(1)} MB, first picture after ${first} ms, memory ${(memory / 1e6).toFixed(0)} MB`);
    assert.ok(memory < 300e6, `${memory} bytes`);
    await page.done();
  },
};

const only = process.argv[5];
let nFailed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    nFailed++;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await withGl.close();
await withoutGl.close();
process.exitCode = nFailed === 0 ? 0 : 1;
