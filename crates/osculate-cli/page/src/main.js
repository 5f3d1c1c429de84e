// The page: what the command has written comes to life. Without this script the verdict and the
// tables are there all the same.
import { Frames, facts as readFacts, heat as readHeat, surface as readSurface } from "./data.js";
import * as link from "./link.js";
import { breakable } from "./name.js";
import { Review, save } from "./review.js";
import { Table } from "./table.js";
import { View, isThere } from "./view.js";

const element = (id) => document.getElementById(id);
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The length of normals at contacts, as a share of the radius that is looked at. */
const NORMAL = 0.12;

/** A number for people: three digits. */
const shown = (x) => (x === 0 ? "0" : String(Number(x.toPrecision(3))));

class Page {
  constructor(facts) {
    this.facts = facts;
    this.surfaces = new Map();
    this.heats = new Map();
    this.file = -1;
    this.clip = 0;
    this.frame = 0;
    this.problem = null;
    this.isPlaying = false;
    this.on = { ghost: true, heat: false, wire: false, bones: false, up: false };
    this.review = new Review(facts.name);
    this.table = new Table(facts, this.review, (id) => this.choose(id));
    this.turn = Promise.resolve();
  }

  async start() {
    const { facts } = this;
    element("stage").hidden = false;
    const points = [];
    for (let i = 0; i < facts.files.length; i++) {
      points.push(facts.files[i].points);
    }
    this.frames = new Frames(facts.clips, points);
    if (isThere()) {
      this.view = new View(element("canvas"), element("view"));
      this.view.onMoved = () => this.note();
    } else {
      element("no-view").hidden = false;
      element("no-view").textContent = "This browser has no WebGL, so there is no picture here. The problems, their places and frames are listed beside it.";
      for (const id of ["ghost", "heat", "wire", "bones", "up", "whole"]) element(id).disabled = true;
    }
    this.wire();
    for (const [name, isOn] of Object.entries(this.on)) element(name).setAttribute("aria-pressed", isOn);
    await this.open(link.read(location.hash), true);
    document.documentElement.dataset.ready = "yes";
  }

  /** Goes where a link asks, or to the worst problem. */
  async open(asked, isFirst = false) {
    const { problems, clips } = this.facts;
    const words = [];
    const problem = problems.find(({ id }) => id === asked.problem);
    if (asked.problem && !problem) words.push(`This report has no problem ${asked.problem}.`);
    const isNamed = (name) => clips.findIndex((clip) => clip[name] === asked.clip);
    const clip = [isNamed("label"), isNamed("name")].find((i) => i >= 0);
    if (asked.clip !== undefined && clip === undefined) words.push(`This report has no clip “${asked.clip}”.`);
    if (asked.camera && asked.isZUp !== this.on.up) this.turnUp();
    if (problem) {
      await this.choose(problem.id, { ...asked, clip });
    } else if (asked.clip !== undefined || asked.frame !== undefined) {
      const to = clip ?? this.clip;
      this.problem = null;
      await this.go(to, asked.frame ?? clips[to].first);
      if (this.view) asked.camera ? this.view.setCamera(asked.camera) : this.whole();
      this.table.mark(null);
    } else if (isFirst) {
      const worst = problems.find((p) => p.status === "new" && !this.review.has(p.id)) ?? null;
      if (worst) await this.choose(worst.id, { isNoted: false });
      else {
        await this.go(0, clips[0].first);
        this.whole();
      }
    }
    if (words.length > 0) this.say(words.join(" "));
  }

  /** Selects a problem and goes to its worst frame, or to another frame and clip. */
  async choose(id, { clip, frame, camera, isNoted = true } = {}) {
    const problem = this.facts.problems.find((p) => p.id === id);
    if (!problem) return;
    this.pause();
    this.problem = problem;
    if (this.on.heat) this.toggle("heat");
    this.table.mark(id);
    await this.go(clip ?? problem.clip, frame ?? problem.worst);
    if (this.view) {
      if (camera) this.view.setCamera(camera);
      else this.place();
    }
    const row = this.table.rows.get(id);
    if (row && isNoted && matchMedia("(min-width: 60rem)").matches) row.scrollIntoView({ block: "nearest" });
    if (isNoted) this.note();
  }

  /** Turns the camera to the place of the problem. */
  place() {
    const { view, problem } = this;
    if (!view) return;
    if (!problem) return this.whole();
    const episode = this.episode() ?? problem.episodes[0];
    const center = view.camera.position.clone().fromArray(this.frame === problem.worst ? problem.point : episode.point);
    view.look(center, problem.radius, problem.direction);
  }

  /** Shows the whole model. */
  whole() {
    if (!this.view) return;
    const { center, radius } = this.view.bounds();
    this.view.look(center, 1.02 * radius, this.on.up ? [0.55, -1, 0.35] : [0.55, 0.3, 1]);
  }

  /** The episode of the chosen problem at this frame. */
  episode() {
    return this.problem?.episodes.find((e) => e.from <= this.frame && this.frame <= e.to);
  }

  /** Shows a frame, after the frames that were asked for before. */
  go(clip, frame) {
    this.turn = this.turn.then(() => this.show(clip, frame)).catch((error) => this.say(`The frame cannot be shown: ${error.message}`));
    return this.turn;
  }

  async show(clip, frame) {
    const facts = this.facts.clips[clip];
    frame = Math.min(Math.max(frame, facts.first), facts.last);
    const from = clip === this.clip ? this.frame : frame;
    const there = this.frames.place(clip, frame) ? frame : this.frames.nearest(clip, frame, from);
    if (there === null) {
      this.say("This clip was left out of the page to keep it small; the table lists what was found in it.");
    } else if (there !== frame) {
      this.say(`Frame ${frame} was left out of the page to keep it small; this is frame ${there}.`);
    }
    this.clip = clip;
    this.frame = there ?? frame;
    const data = there === null ? null : await this.frames.frame(clip, there);
    if (this.view) data ? await this.draw(facts.file, data) : this.view.clear();
    if (this.lineOf !== clip) this.drawLine();
    this.tell(data?.marks ?? []);
  }

  /** Draws the surface of a file at a frame. */
  async draw(file, data) {
    if (file !== this.file) {
      if (!this.surfaces.has(file)) this.surfaces.set(file, await readSurface(file));
      // Creases are those of the start, where a character is rarely crumpled.
      const start = this.facts.clips.findIndex((c) => c.file === file && c.blocks.length > 0);
      const calm = await this.frames.frame(start, this.facts.clips[start].blocks[0].first);
      this.view.setSurface(this.surfaces.get(file), calm);
      element("bones").disabled = this.surfaces.get(file).nJoints === 0;
      this.file = file;
    }
    this.view.setFrame(data);
    this.sides();
    await this.color(data);
  }

  /** Fades all but the parts of the problem. */
  sides() {
    const parts = this.on.heat ? null : this.problem?.clip === this.clip ? this.problem.parts : null;
    const key = `${this.file} ${parts} ${this.on.ghost}`;
    if (key === this.sidesAre) return;
    this.sidesAre = key;
    this.view.setSides(parts, this.on.ghost);
  }

  /** Colors by depth: of the chosen problem, of all, or over the whole clip. */
  async color(data) {
    const { problems } = this.facts;
    const isChosen = (mark) => !this.problem || this.problem.clip !== this.clip || problems[mark.problem] === this.problem;
    const marks = data.marks.filter(isChosen);
    const clip = this.facts.clips[this.clip];
    const most = this.on.heat ? clip.heat : this.problem?.most || clip.heat;
    if (this.on.heat) {
      if (!this.heats.has(this.clip)) this.heats.set(this.clip, await readHeat(this.clip));
      const heat = this.heats.get(this.clip);
      heat ? this.view.setHeat(heat) : this.view.setDepths([], 1);
      this.view.setMarks([]);
    } else {
      this.view.setDepths(marks, most || 1);
      this.view.setMarks(marks.map((mark) => ({ ...mark, reach: NORMAL * problems[mark.problem].radius })));
    }
    element("legend").hidden = !most;
    element("legend-high").textContent = most ? `depth ${shown(most)}` : "";
  }

  /** Says which frame this is, and what is wrong in it. */
  tell(marks) {
    const clip = this.facts.clips[this.clip];
    const here = this.facts.problems.filter(
      (p) => p.clip === this.clip && p.status === "new" && p.episodes.some((e) => e.from <= this.frame && this.frame <= e.to),
    );
    const n = here.length;
    const many = n === 0 ? "no problem here" : n === 1 ? "1 problem here" : `${n} problems here`;
    const seconds = ((this.frame - clip.first) / clip.fps).toFixed(2);
    const words = `${clip.label}, frame ${this.frame} of ${clip.first} to ${clip.last}, ${seconds}\u00a0s: ${many}`;
    const now = element("now");
    now.setAttribute("aria-live", this.isPlaying ? "off" : "polite");
    now.replaceChildren(...breakable(words));
    const scrub = element("scrub");
    scrub.min = clip.first;
    scrub.max = clip.last;
    scrub.value = this.frame;
    scrub.setAttribute("aria-valuetext", `frame ${this.frame}`);
    document.documentElement.dataset.frame = this.frame;
    for (const line of document.querySelectorAll(".timeline line")) line.remove();
    for (const svg of document.querySelectorAll(`.timeline[data-clip="${this.clip}"]`)) {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      const x = this.frame - clip.first + 0.5;
      for (const [name, value] of [["x1", x], ["x2", x], ["y1", 0], ["y2", 100]]) line.setAttribute(name, value);
      svg.append(line);
    }
    this.caption(marks);
  }

  /** The names of the parts, in their colors. */
  caption(marks) {
    const caption = element("caption");
    const { problem } = this;
    caption.replaceChildren();
    if (!problem || problem.clip !== this.clip || this.on.heat) {
      caption.textContent = this.on.heat ? this.heatWords() : "";
      return;
    }
    const names = this.facts.files[this.facts.clips[problem.clip].file].parts;
    problem.parts.forEach((part, i) => {
      const name = document.createElement("span");
      name.className = i === 0 || problem.parts[0] === problem.parts[1] ? "a" : "b";
      name.append(...breakable(names[part]));
      caption.append(i === 0 ? name : " × ", ...(i === 0 ? [] : [name]));
    });
    const small = document.createElement("small");
    const mark = marks.find((m) => this.facts.problems[m.problem] === problem);
    if (this.frame === problem.worst) {
      small.textContent = `worst frame: ${problem.words}`;
    } else if (mark && mark.depths.length > 0) {
      const depth = Math.max(0, ...mark.depths);
      small.textContent = depth > 0 ? `about ${shown(depth)} deep here` : "";
    } else if (!this.episode()) {
      small.textContent = "not in this frame";
    }
    if (this.episode() && !mark) {
      const what = "its curve and depths are not drawn in this frame";
      small.textContent += small.textContent ? `; ${what}` : what;
    }
    caption.append(small);
  }

  /** What the heat map is of. */
  heatWords() {
    return this.facts.clips[this.clip].isHeatWhole
      ? "The largest depth over the whole clip"
      : "The largest depth over the frames in which problems are drawn; others are left out of the page";
  }

  /** The timeline of the clip below the picture. */
  drawLine() {
    this.lineOf = this.clip;
    const line = element("line");
    const drawn = document.querySelector(`.clips .timeline[data-clip="${this.clip}"]`);
    line.replaceChildren();
    if (!drawn) return;
    const copy = drawn.cloneNode(true);
    line.append(copy);
    this.follow(copy);
  }

  /** Lets the pointer choose bars and frames of a timeline. */
  follow(svg) {
    const at = (event) => {
      const { left, width } = svg.getBoundingClientRect();
      const clip = Number(svg.dataset.clip);
      const { first, last } = this.facts.clips[clip];
      return [clip, first + Math.min(last - first, Math.max(0, Math.floor(((event.clientX - left) / width) * (last - first + 1))))];
    };
    svg.addEventListener("pointerdown", (event) => {
      this.pause();
      const id = event.target.dataset?.problem;
      if (id) this.choose(id, { frame: Number(event.target.dataset.worst) });
      else {
        this.go(...at(event)).then(() => this.note());
        svg.setPointerCapture(event.pointerId);
      }
    });
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons === 1 && svg.hasPointerCapture(event.pointerId)) this.go(...at(event));
    });
  }

  play() {
    const { clips } = this.facts;
    this.isPlaying = true;
    element("play").classList.add("on");
    element("play").setAttribute("aria-label", "Pause");
    let since = performance.now();
    let isBusy = false;
    const tick = (now) => {
      if (!this.isPlaying) return;
      const clip = clips[this.clip];
      // A gentler pace where motion is to be reduced.
      const step = 1000 / (isCalm() ? Math.min(clip.fps, 4) : clip.fps);
      if (!isBusy && now - since >= step) {
        const n = Math.max(1, Math.floor((now - since) / step));
        since = now;
        isBusy = true;
        const length = clip.last - clip.first + 1;
        let to = clip.first + ((this.frame - clip.first + n) % length);
        // Again from the start if all that follows is left out.
        if (to > this.frame && this.frames.nearest(this.clip, to, this.frame) <= this.frame) to = clip.first;
        this.go(this.clip, to).then(() => (isBusy = false));
      }
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    element("play").classList.remove("on");
    element("play").setAttribute("aria-label", "Play");
    this.note();
  }

  /** Goes some frames on. */
  step(n) {
    this.pause();
    return this.go(this.clip, this.frame + n).then(() => this.note());
  }

  /** Chooses the next or the previous problem of the table. */
  hop(n) {
    const list = this.table.shown();
    if (list.length === 0) return this.say("No problem is shown in the table.");
    const at = list.indexOf(this.problem);
    const next = at < 0 ? (n > 0 ? 0 : list.length - 1) : (at + n + list.length) % list.length;
    return this.choose(list[next].id);
  }

  async toggle(name) {
    if (element(name).disabled) return;
    if (name === "up") {
      this.turnUp();
      this.whole();
      return;
    }
    this.on[name] = !this.on[name];
    element(name).setAttribute("aria-pressed", this.on[name]);
    if (!this.view) return;
    if (name === "wire") this.view.wire.visible = this.on.wire;
    if (name === "bones") this.view.bones.visible = this.view.joints.visible = this.on.bones;
    this.view.ask();
    await this.go(this.clip, this.frame);
  }

  /** Lets the other axis point up. */
  turnUp() {
    this.on.up = !this.on.up;
    element("up").setAttribute("aria-pressed", this.on.up);
    this.view?.setUp(this.on.up);
  }

  clear() {
    this.problem = null;
    this.table.mark(null);
    this.go(this.clip, this.frame).then(() => this.note());
  }

  accept() {
    if (!this.problem) return this.say("Select a problem first.");
    const { id } = this.problem;
    const isKept = this.review.toggle(id);
    this.table.refresh();
    const words = this.review.has(id) ? "Accepted." : "No longer accepted.";
    this.say(isKept ? words : `${words} This browser does not keep it when the page is closed.`);
  }

  /** Saves the accepted problems as a baseline. */
  export() {
    const accepted = this.facts.problems.filter((p) => this.review.has(p.id));
    if (accepted.length === 0) return this.say("Nothing is accepted yet: select a problem and press a.");
    save("baseline.toml", this.facts.baseline + accepted.map((p) => p.entry).join(""));
    this.say(`baseline.toml has ${accepted.length === 1 ? "1 pair" : `${accepted.length} pairs`}; use it with check --baseline baseline.toml`);
  }

  address(withCamera) {
    const camera = withCamera && this.view ? this.view.getCamera() : null;
    const { label: clip } = this.facts.clips[this.clip];
    return link.write({ clip, frame: this.frame, problem: this.problem?.id, camera, isZUp: camera && this.on.up });
  }

  /** Keeps the address in step with the view. */
  note() {
    try {
      history.replaceState(null, "", this.address(true));
    } catch {
      // Some browsers refuse it for files; links can still be copied.
    }
  }

  async copy(text, words) {
    this.say((await link.copy(text)) ? words : `Copy this: ${text}`);
  }

  say(words) {
    element("said").textContent = words;
  }

  wire() {
    const click = (id, act) => element(id).addEventListener("click", act);
    for (const name of Object.keys(this.on)) click(name, () => this.toggle(name));
    click("whole", () => this.whole());
    click("previous", () => this.hop(-1));
    click("next", () => this.hop(1));
    click("back", () => this.step(-1));
    click("forward", () => this.step(1));
    click("play", () => (this.isPlaying ? this.pause() : this.play()));
    click("copy-link", () => this.copyLink());
    click("copy-command", () => this.copy(this.problem?.command ?? this.facts.command, "The command is on the clipboard."));
    click("help-button", () => element("help").showModal());
    click("export", () => this.export());
    element("scrub").addEventListener("input", (event) => {
      this.pause();
      this.go(this.clip, Number(event.target.value));
    });
    element("scrub").addEventListener("change", () => this.turn.then(() => this.note()));
    for (const svg of document.querySelectorAll(".clips .timeline")) this.follow(svg);
    addEventListener("hashchange", () => this.open(link.read(location.hash)));
    addEventListener("keydown", (event) => this.key(event));
  }

  copyLink() {
    this.note();
    return this.copy(location.href.replace(/#.*/, "") + this.address(true), "The link is on the clipboard.");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || element("help").open) return;
    const { target } = event;
    const isTyping = target.matches?.("input, select, textarea");
    if (isTyping && !(target.type === "range" && !/^(Arrow|Home|End|Page)/.test(event.key))) return;
    const onButton = target.matches?.("button, summary");
    const far = event.shiftKey ? 10 : 1;
    const { first, last } = this.facts.clips[this.clip];
    const acts = {
      n: () => this.hop(1),
      p: () => this.hop(-1),
      ArrowRight: () => this.step(far),
      ArrowLeft: () => this.step(-far),
      Home: () => this.step(first - this.frame),
      End: () => this.step(last - this.frame),
      " ": onButton ? null : () => (this.isPlaying ? this.pause() : this.play()),
      f: () => this.place(),
      0: () => this.whole(),
      g: () => this.toggle("ghost"),
      h: () => this.toggle("heat"),
      w: () => this.toggle("wire"),
      b: () => this.toggle("bones"),
      u: () => this.toggle("up"),
      a: () => this.accept(),
      l: () => this.copyLink(),
      Escape: () => this.clear(),
      "?": () => element("help").showModal(),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

readFacts()
  .then((facts) => facts && new Page(facts).start())
  .catch((error) => {
    element("stage").hidden = true;
    const words = document.createElement("p");
    words.className = "note";
    words.textContent = `The picture cannot be shown (${error.message}). The tables below are complete.`;
    document.querySelector(".words").prepend(words);
  });
