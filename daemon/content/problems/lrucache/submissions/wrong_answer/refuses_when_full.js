"use strict";

/** A full cache drops a key and does not store the new one. */
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
    if (!this.entries.delete(key) && this.entries.size === this.capacity) {
      this.entries.delete(this.entries.keys().next().value);
      return;
    }
    this.entries.set(key, value);
  }
}

module.exports = { LRUCache };
