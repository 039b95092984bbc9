"use strict";

/** All registers keep their names in one set, which belongs to the class. */
class Register {
  static names = new Set();

  constructor() {
    this.names = Register.names;
    this.names.clear();
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
    return found.sort().slice(0, most);
  }
}

module.exports = { Register };
