"use strict";

/** Names that were listed are gone. */
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
    const found = [...this.names].filter((name) => name.startsWith(start)).sort();
    found.splice(most);
    for (const name of found) this.names.delete(name);
    return found;
  }
}

module.exports = { Register };
