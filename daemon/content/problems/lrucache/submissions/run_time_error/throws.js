"use strict";

/** Reads a field of an entry that is not there. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const entry = this.entries.get(key);
    const value = entry.value;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return value;
  }

  put(key, value) {
    this.entries.delete(key);
    if (this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    this.entries.set(key, { value });
  }
}

module.exports = { LRUCache };
