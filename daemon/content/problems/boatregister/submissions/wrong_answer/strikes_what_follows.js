"use strict";

/** Strikes out all names that begin with the given one. */
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
    if (!this.names.has(name)) return false;
    for (const other of [...this.names]) {
      if (other.startsWith(name)) this.names.delete(other);
    }
    return true;
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
