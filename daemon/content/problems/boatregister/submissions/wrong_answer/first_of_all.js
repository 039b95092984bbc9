"use strict";

/** Cuts the list before it looks which names fit. */
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
    const all = [...this.names].sort().slice(0, most);
    return all.filter((name) => name.startsWith(start));
  }
}

module.exports = { Register };
