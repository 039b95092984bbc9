"use strict";

/** Takes a value of 0 for a missing key. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const value = this.entries.get(key);
    if (!value) return -1;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
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
