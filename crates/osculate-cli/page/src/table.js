// Sorts and filters the table of problems, whose rows the command has written.

const element = (id) => document.getElementById(id);

export class Table {
  /** @param problems of the facts; @param review; @param choose called with a chosen problem */
  constructor(facts, review, choose) {
    this.facts = facts;
    this.review = review;
    this.rows = new Map();
    this.bodies = document.querySelectorAll("table.problems tbody");
    for (const row of document.querySelectorAll("tr[data-problem]")) {
      const id = row.dataset.problem;
      this.rows.set(id, row);
      row.addEventListener("click", () => choose(id));
      this.link(row, () => choose(id));
    }
    for (const card of document.querySelectorAll(".card[data-problem]")) {
      this.link(card, () => choose(card.dataset.problem));
      card.querySelector("img")?.addEventListener("click", () => choose(card.dataset.problem));
    }
    for (const head of document.querySelectorAll("table.problems th[data-sort]")) this.sortable(head);
    this.filters();
  }

  /** Makes the names of the parts a button. */
  link(parent, act) {
    const cell = parent.querySelector(".parts");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "parts";
    button.append(...cell.childNodes);
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      act();
    });
    cell.classList.remove("parts");
    cell.replaceChildren(button);
  }

  sortable(head) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const table = head.closest("table");
      const isDown = head.getAttribute("aria-sort") === "descending";
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isDown ? "ascending" : "descending");
      const key = head.dataset.sort;
      const value = (row) => row.dataset[key];
      const isNumber = head.classList.contains("n");
      const order = (a, b) => (isNumber ? Number(value(a)) - Number(value(b)) : value(a).localeCompare(value(b)));
      const sign = isDown ? 1 : -1;
      const body = table.querySelector("tbody");
      body.append(...[...body.rows].sort((a, b) => sign * order(a, b)));
    });
  }

  filters() {
    const clips = element("filter-clip");
    this.facts.clips.forEach((clip, i) => {
      if (!this.facts.problems.some((problem) => problem.clip === i)) return;
      const option = document.createElement("option");
      option.value = i;
      option.textContent = clip.label;
      clips.append(option);
    });
    element("filters").hidden = this.facts.problems.length === 0;
    element("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["filter-part", "filter-clip", "filter-depth", "filter-status"]) {
      element(id).addEventListener("input", () => this.refresh());
    }
    this.refresh();
  }

  /** Whether a problem is one of those that are to be shown: new, known or accepted ones, or all. */
  hasStatus(problem) {
    const isAccepted = this.review.has(problem.id);
    const isNew = problem.status === "new";
    return { open: isNew && !isAccepted, new: isNew, known: !isNew, accepted: isAccepted, all: true }[element("filter-status").value];
  }

  /** Whether the filters show a problem. */
  isShown(problem) {
    const part = element("filter-part").value.trim().toLowerCase();
    const clip = element("filter-clip").value;
    const depth = Number(element("filter-depth").value || 0);
    const names = this.facts.files[this.facts.clips[problem.clip].file].parts;
    return (
      this.hasStatus(problem) &&
      (clip === "" || Number(clip) === problem.clip) &&
      depth <= (problem.depth ?? problem.severity) &&
      (part === "" || problem.parts.some((p) => names[p].toLowerCase().includes(part)))
    );
  }

  /** The problems that are shown, in the order of the table. */
  shown() {
    const byId = new Map(this.facts.problems.map((problem) => [problem.id, problem]));
    const rows = [...this.bodies].flatMap((body) => [...body.rows]);
    return rows.filter((row) => !row.hidden).map((row) => byId.get(row.dataset.problem));
  }

  refresh() {
    let n = 0;
    for (const problem of this.facts.problems) {
      const row = this.rows.get(problem.id);
      if (!row) continue;
      const isShown = this.isShown(problem);
      n += isShown;
      row.hidden = !isShown;
      row.classList.toggle("accepted", this.review.has(problem.id));
    }
    for (const bar of document.querySelectorAll("rect[data-problem]")) {
      bar.classList.toggle("accepted", this.review.has(bar.dataset.problem));
    }
    const status = element("filter-status").value;
    if (status === "known" || status === "all") element("known")?.setAttribute("open", "");
    // Of these, too, that the table has no row for.
    const total = this.facts.problems.filter((problem) => this.hasStatus(problem)).length;
    element("shown").hidden = this.facts.problems.length === 0;
    element("shown").textContent = n === total ? `all ${total} shown` : `${n} of ${total} shown`;
  }

  /** Marks the chosen problem. */
  mark(id) {
    for (const marked of document.querySelectorAll(".chosen")) marked.classList.remove("chosen");
    for (const copy of document.querySelectorAll(".picked")) copy.remove();
    if (!id) return;
    for (const row of document.querySelectorAll(`[data-problem="${id}"]`)) row.classList.add("chosen");
    // Bars of other problems may hide the chosen ones, so these are drawn again before them.
    for (const bar of document.querySelectorAll(`rect[data-problem="${id}"]`)) {
      const copy = bar.cloneNode(false);
      for (const name of ["data-problem", "data-worst"]) copy.removeAttribute(name);
      copy.setAttribute("class", "picked");
      bar.parentNode.append(copy);
    }
  }
}
