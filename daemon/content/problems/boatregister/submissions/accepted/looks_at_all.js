"use strict";

/** Keeps the names in a set and looks at all of them for each question. */
class Register {
  constructor() {
    this.names = new Set();
  }

  add(name) {
    const before = this.names.size;
    return this.names.add(name).size > before;
  }

  remove(name) {
    return this.names.delete(name);
  }

  count(start) {
    return this.#fitting(start).length;
  }

  first(start, most) {
    return this.#fitting(start).sort().slice(0, most);
  }

  #fitting(start) {
    return [...this.names].filter((name) => name.startsWith(start));
  }
}

module.exports = { Register };
