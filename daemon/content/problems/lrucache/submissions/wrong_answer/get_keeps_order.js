"use strict";

/** A read does not count as use. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    return this.entries.has(key) ? this.entries.get(key) : -1;
  }

  put(key, value) {
    this.entries.delete(key);
    if (this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    this.entries.set(key, value);
  }
}

module.exports = { LRUCache };
