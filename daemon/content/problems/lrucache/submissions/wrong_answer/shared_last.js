"use strict";

/** Every call works on the cache that was made last. */
class LRUCache {
  static last = null;

  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
    LRUCache.last = this;
  }

  get(key) {
    const { entries } = LRUCache.last;
    if (!entries.has(key)) return -1;
    const value = entries.get(key);
    entries.delete(key);
    entries.set(key, value);
    return value;
  }

  put(key, value) {
    const { entries, capacity } = LRUCache.last;
    entries.delete(key);
    if (entries.size === capacity) entries.delete(entries.keys().next().value);
    entries.set(key, value);
  }
}

module.exports = { LRUCache };
