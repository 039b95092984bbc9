"use strict";

/** A value that a key has already does not count as use. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    if (!this.entries.has(key)) return -1;
    const value = this.entries.get(key);
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  put(key, value) {
    if (this.entries.get(key) === value) return;
    this.entries.delete(key);
    if (this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    this.entries.set(key, value);
  }
}

module.exports = { LRUCache };
