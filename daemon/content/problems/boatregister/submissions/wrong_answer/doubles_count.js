"use strict";

/** A name that is entered twice stands in the register twice. */
class Register {
  constructor() {
    this.names = [];
  }

  add(name) {
    const there = this.names.includes(name);
    this.names.push(name);
    return !there;
  }

  remove(name) {
    const at = this.names.indexOf(name);
    if (at < 0) return false;
    this.names.splice(at, 1);
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
