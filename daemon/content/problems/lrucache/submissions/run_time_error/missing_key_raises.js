"use strict";

/** A read of a missing key throws. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
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
