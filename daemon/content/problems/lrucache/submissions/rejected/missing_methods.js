"use strict";

/** Has no `put`, and spells `get` with a capital. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  Get(key) {
    return this.entries.has(key) ? this.entries.get(key) : -1;
  }
}

module.exports = { LRUCache };
