"use strict";

/** Counts and lists only longer names than the text that was typed. */
class Register {
  constructor() {
    this.names = new Set();
  }

  add(name) {
    if (this.names.has(name)) return false;
    this.names.add(name);
    return true;
  }

  remove(name) {
    return this.names.delete(name);
  }

  count(start) {
    return this.first(start, this.names.size).length;
  }

  first(start, most) {
    const found = [...this.names].filter((name) => name.startsWith(start) && name !== start);
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
