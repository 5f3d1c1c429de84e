// Which problems the reader has accepted. Kept by the browser; exported as a baseline.

export class Review {
  /** @param name of the storage: the same for reports about the same inputs */
  constructor(name) {
    this.name = `osculate:${name}`;
    this.accepted = new Set();
    try {
      for (const id of JSON.parse(localStorage.getItem(this.name) ?? "[]")) this.accepted.add(String(id));
    } catch {
      // Without storage, or with something else in it, nothing is accepted.
    }
  }

  has(id) {
    return this.accepted.has(id);
  }

  toggle(id) {
    if (!this.accepted.delete(id)) this.accepted.add(id);
    try {
      localStorage.setItem(this.name, JSON.stringify([...this.accepted].sort()));
    } catch {
      return false;
    }
    return true;
  }
}

/** Saves a text as a file. */
export function save(name, text) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}
