"use strict";

/** All caches share the room of the one that was made last. */
class LRUCache {
  static capacity = 0;

  constructor(capacity) {
    LRUCache.capacity = capacity;
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
    this.entries.delete(key);
    if (this.entries.size >= LRUCache.capacity) {
      this.entries.delete(this.entries.keys().next().value);
    }
    this.entries.set(key, value);
  }
}

module.exports = { LRUCache };
