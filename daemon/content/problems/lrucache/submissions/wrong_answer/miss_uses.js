"use strict";

/** A read of a missing key counts as a use of the oldest one. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const known = this.entries.has(key);
    const used = known ? key : this.entries.keys().next().value;
    if (this.entries.size > 0) {
      const value = this.entries.get(used);
      this.entries.delete(used);
      this.entries.set(used, value);
    }
    return known ? this.entries.get(key) : -1;
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
