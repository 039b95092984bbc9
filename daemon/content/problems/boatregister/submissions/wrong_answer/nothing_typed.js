"use strict";

/** Takes an empty beginning for no question. */
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
    if (!start) return 0;
    return [...this.names].filter((name) => name.startsWith(start)).length;
  }

  first(start, most) {
    if (!start) return [];
    const found = [...this.names].filter((name) => name.startsWith(start));
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
