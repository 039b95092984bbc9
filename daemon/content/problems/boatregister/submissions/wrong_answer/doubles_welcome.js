"use strict";

/** Answers true to a name that is there already. */
class Register {
  constructor() {
    this.names = new Set();
  }

  add(name) {
    this.names.add(name);
    return true;
  }

  remove(name) {
    return this.names.delete(name);
  }

  count(start) {
    return [...this.names].filter((name) => name.startsWith(start)).length;
  }

  first(start, most) {
    const found = [...this.names].filter((name) => name.startsWith(start));
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
