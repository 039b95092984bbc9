"use strict";

/** Lists one name even if none is wanted. */
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
    const found = [];
    for (const name of [...this.names].sort()) {
      if (!name.startsWith(start)) continue;
      found.push(name);
      if (found.length >= most) break;
    }
    return found;
  }
}

module.exports = { Register };
