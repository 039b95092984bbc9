"use strict";

/** A new key is placed where the next one is dropped. */
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
    const known = this.entries.delete(key);
    if (!known && this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    const others = known ? [] : [...this.entries];
    if (!known) this.entries.clear();
    this.entries.set(key, value);
    for (const [other, kept] of others) this.entries.set(other, kept);
  }
}

module.exports = { LRUCache };
