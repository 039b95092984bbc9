"use strict";

/** Does not take a name that was struck out from the counts. */
class Register {
  constructor() {
    this.names = new Set();
    this.counts = new Map();
  }

  add(name) {
    if (this.names.has(name)) return false;
    this.names.add(name);
    for (let length = 0; length <= name.length; length++) {
      const start = name.slice(0, length);
      this.counts.set(start, (this.counts.get(start) ?? 0) + 1);
    }
    return true;
  }

  remove(name) {
    return this.names.delete(name);
  }

  count(start) {
    return this.counts.get(start) ?? 0;
  }

  first(start, most) {
    const found = [...this.names].filter((name) => name.startsWith(start));
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
