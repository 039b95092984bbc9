"use strict";

/** Lists the names in the order in which they were entered. */
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
    return [...this.names].filter((name) => name.startsWith(start)).length;
  }

  first(start, most) {
    const found = [...this.names].filter((name) => name.startsWith(start));
    return found.slice(0, most);
  }
}

module.exports = { Register };
