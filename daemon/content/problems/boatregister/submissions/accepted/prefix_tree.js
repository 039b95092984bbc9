"use strict";

class Node {
  constructor() {
    this.below = new Map();
    // The number of names in this part of the tree, and whether one ends here.
    this.names = 0;
    this.ends = false;
  }
}

/** A tree with a step for each letter; each node counts what lies below it. */
class Register {
  constructor() {
    this.root = new Node();
  }

  add(name) {
    if (this.#find(name)?.ends) return false;
    let node = this.root;
    node.names += 1;
    for (const letter of name) {
      if (!node.below.has(letter)) node.below.set(letter, new Node());
      node = node.below.get(letter);
      node.names += 1;
    }
    node.ends = true;
    return true;
  }

  remove(name) {
    const found = this.#find(name);
    if (!found?.ends) return false;
    found.ends = false;
    let node = this.root;
    node.names -= 1;
    for (const letter of name) {
      const child = node.below.get(letter);
      child.names -= 1;
      if (child.names === 0) {
        node.below.delete(letter);
        break;
      }
      node = child;
    }
    return true;
  }

  count(start) {
    return this.#find(start)?.names ?? 0;
  }

  first(start, most) {
    const found = [];
    const node = this.#find(start);
    if (node !== undefined) this.#collect(node, start, most, found);
    return found;
  }

  #find(text) {
    let node = this.root;
    for (const letter of text) {
      node = node.below.get(letter);
      if (node === undefined) return undefined;
    }
    return node;
  }

  #collect(node, text, most, found) {
    if (found.length >= most) return;
    if (node.ends) found.push(text);
    for (const letter of [...node.below.keys()].sort()) {
      this.#collect(node.below.get(letter), text + letter, most, found);
    }
  }
}

module.exports = { Register };
