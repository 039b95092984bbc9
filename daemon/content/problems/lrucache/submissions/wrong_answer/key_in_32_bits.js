"use strict";

/** Keeps the lower 32 bits of a key. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    key |= 0;
    if (!this.entries.has(key)) return -1;
    const value = this.entries.get(key);
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  put(key, value) {
    key |= 0;
    this.entries.delete(key);
    if (this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    this.entries.set(key, value);
  }
}

module.exports = { LRUCache };
