"use strict";

/** Takes for granted that somebody has such a beginning. */
class Register {
  constructor() {
    this.root = { below: {}, names: new Set() };
  }

  add(name) {
    let node = this.root;
    if (node.names.has(name)) return false;
    node.names.add(name);
    for (const letter of name) {
      node.below[letter] ??= { below: {}, names: new Set() };
      node = node.below[letter];
      node.names.add(name);
    }
    return true;
  }

  remove(name) {
    let node = this.root;
    if (!node.names.delete(name)) return false;
    for (const letter of name) {
      node = node.below[letter];
      node.names.delete(name);
    }
    return true;
  }

  count(start) {
    let node = this.root;
    for (const letter of start) node = node.below[letter];
    return node.names.size;
  }

  first(start, most) {
    let node = this.root;
    for (const letter of start) node = node.below[letter];
    return [...node.names].sort().slice(0, most);
  }
}

module.exports = { Register };
