"use strict";

class Node {
  constructor(key, value) {
    this.key = key;
    this.value = value;
    this.older = this;
    this.newer = this;
  }
}

/** A map finds the node of a key; a ring of nodes keeps the order of use. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.nodes = new Map();
    // One node that holds no key: its `newer` is the oldest, its `older` the newest.
    this.ring = new Node();
  }

  get(key) {
    const node = this.nodes.get(key);
    if (node === undefined) return -1;
    this.#unlink(node);
    this.#append(node);
    return node.value;
  }

  put(key, value) {
    let node = this.nodes.get(key);
    if (node !== undefined) {
      this.#unlink(node);
    } else {
      if (this.nodes.size === this.capacity) {
        const oldest = this.ring.newer;
        this.#unlink(oldest);
        this.nodes.delete(oldest.key);
      }
      node = new Node(key);
      this.nodes.set(key, node);
    }
    node.value = value;
    this.#append(node);
  }

  #unlink(node) {
    node.older.newer = node.newer;
    node.newer.older = node.older;
  }

  #append(node) {
    const newest = this.ring.older;
    node.older = newest;
    node.newer = this.ring;
    newest.newer = node;
    this.ring.older = node;
  }
}

module.exports = { LRUCache };
