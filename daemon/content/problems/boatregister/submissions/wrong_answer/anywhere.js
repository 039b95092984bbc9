"use strict";

/** Looks for the text anywhere in a name. */
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
    return [...this.names].filter((name) => name.includes(start)).length;
  }

  first(start, most) {
    const found = [...this.names].filter((name) => name.includes(start));
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
