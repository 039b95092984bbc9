"use strict";

/** All caches share one store, which belongs to the class. */
class LRUCache {
  static entries = new Map();

  constructor(capacity) {
    this.capacity = capacity;
    this.entries = LRUCache.entries;
    this.entries.clear();
  }

  get(key) {
    if (!this.entries.has(key)) return -1;
    const value = this.entries.get(key);
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
