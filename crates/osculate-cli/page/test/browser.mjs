// Tests the page in a real browser. Run by `cargo xtask test`:
//
//   node test/browser.mjs OSCULATE CHROMIUM FOLDER
//
// OSCULATE is the command, CHROMIUM a browser, FOLDER where pages are written.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { Frames, facts as readFacts } from "../src/data.js";
import { balls } from "./models.mjs";

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
// From one side to the other in one step, so that they touch between frames only.
balls(join(folder, "fast.gltf"), { names: ["A", "B"], clips: [["Fly", 2 / 30]], rings: 3, around: 4, way: [[3, 0, 0], [-3, 0.3, 0], [-3, 0.3, 0]] });
run("check", "fast.gltf", "--report", "fast.html", "--json", "fast.json");
balls(join(folder, "apart.gltf"), { names: ["A", "B"], clips: [] });
run("check", "apart.gltf", "--report", "apart.html", "--picture", "apart.png", "--colored", "apart.glb");

const LONG = ["mixamorig:LeftForeArmTwistHelperJointOfTheSecondaryDeformer1", "DEF-upper_arm_twist.L.001.secondary.deformation.skeleton.end"];
balls(join(folder, "long.gltf"), { names: LONG, clips: [["Run_Forward_InPlace_With_Sword_And_Shield_Variation_Number_Two", 1], ["In", 0.5]] });
run("check", "long.gltf", "--report", "long.html");

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
  page.opened = Date.now() - start;
  page.done = async () => {
    assert.deepEqual(said, []);
    await context.close();
  };
  page.frame_ = () => page.evaluate(() => Number(document.documentElement.dataset.frame));
  page.press = async (key) => {
    await page.keyboard.press(key);
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

/** The contacts at a frame of the first clip, as the page has them: points with their normals. */
async function contacts(name, frame) {
  const html = readFileSync(join(folder, name), "utf8");
  const templates = new Map(Array.from(html.matchAll(/<template id="([^"]+)">([^<]*)</g), ([, id, text]) => [id, text]));
  globalThis.document = { getElementById: (id) => templates.has(id) && { content: { textContent: templates.get(id) } } };
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
      const bars = await page.$$eval(".clips .timeline rect[data-problem]", (all) => all.length);
      assert.equal(bars, report.episodes.length);
      assert.match(await page.textContent(".answer"), new RegExp(`^${report.totals.problems} problem`));
      await page.done();
    }
  },

  async "frames advance, and the picture with them"() {
    const page = await open("figure.html");
    const first = await drawn(page);
    const frame = await page.frame_();
    await page.press("ArrowRight");
    await page.reaches(frame + 1);
    await page.waitForTimeout(300);
    assert.notEqual((await colors(page)).sum, first.sum);
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
    for (const [key, id] of [["g", "ghost"], ["h", "heat"], ["w", "wire"], ["b", "bones"], ["u", "up"]]) {
      const before = await page.getAttribute(`#${id}`, "aria-pressed");
      await page.press(key);
      assert.notEqual(await page.getAttribute(`#${id}`, "aria-pressed"), before, key);
      await page.press(key);
      assert.equal(await page.getAttribute(`#${id}`, "aria-pressed"), before, key);
    }
    await page.press("n");
    const plain = (await drawn(page)).sum;
    await page.press("w");
    await page.waitForTimeout(200);
    assert.notEqual((await colors(page)).sum, plain, "edges are drawn");
    await page.press("w");
    const camera = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("camera"));
    await page.press("n");
    const near = await camera();
    await page.press("0");
    await page.press("l");
    assert.notEqual(await camera(), near);
    assert.match(await page.textContent("#said"), /link is on the clipboard|Copy this/);
    await page.press("f");
    await page.press("l");
    assert.equal(await camera(), near);
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
    const before = (await drawn(page)).sum;
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(300);
    assert.notEqual((await colors(page)).sum, before);
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
    await page.waitForTimeout(300);
    assert.ok((await difference(page)).far > 0.03, "another problem looks otherwise");
    await page.done();
  },

  async "contacts are points with normals"() {
    const report = json("fast.json");
    assert.deepEqual(report.pairs.map(({ frames, worst_frame }) => [frames, worst_frame]), [[[], 0]]);
    const { all, radius } = await contacts("fast.html", 0);
    const isAt = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-6);
    assert.ok(all.some(({ point }) => isAt(point, report.pairs[0].point)), "the contact of the report is there");
    const page = await open("fast.html");
    assert.match(await page.textContent("#caption"), /touch between the frames 0 and 1/);
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
    await page.waitForTimeout(300);
    assert.equal((await touched(page, [], 0)).n, 0, "no contact at frame 1");
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
    assert.match(await other.textContent("#said"), /no problem 00000000/);
    assert.equal(await other.frame_(), 43);
    await other.done();
    const odd = await open("figure.html", { hash: "#clip=%3Cb%3E&frame=1e9&camera=1,2&problem=" });
    assert.match(await odd.textContent("#said"), /no clip “<b>”/);
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
    assert.match(await page.textContent("#said"), /Accepted/);
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
    const page = await open("two.html", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.click("#copy-command");
    const command = await page.evaluate(() => navigator.clipboard.readText());
    await page.done();
    assert.match(command, /^osculate check two\.gltf --clip /);
    const shell = spawnSync("sh", ["-c", command.replace(/^osculate/, '"$OSCULATE"') + " --json again.json --baseline none"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, OSCULATE: osculate },
    });
    assert.equal(shell.status, 0, `${command}: ${shell.stderr}`);
    assert.equal(json("again.json").pairs[0].depth, json("two.json").pairs[0].depth);
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
    assert.ok((await colors(page)).n > 10);
    await page.press("n");
    assert.match(await page.textContent("#said"), /No problem/);
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
    await page.waitForFunction(() => Number(document.getElementById("view").dataset.drawn) > 0);
    await page.press("Home");
    for (let frame = 0; frame < 99; frame += 10) await page.press("Shift+ArrowRight");
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize } = await session.send("Runtime.getHeapUsage");
    // Typed arrays are kept beside the heap.
    const memory = usedSize + backingStorageSize;
    console.log(`   ${(size / 1e6).toFixed(1)} MB, ready after ${page.opened} ms, memory ${(memory / 1e6).toFixed(0)} MB`);
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
