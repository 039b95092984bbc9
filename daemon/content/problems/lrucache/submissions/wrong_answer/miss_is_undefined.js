"use strict";

/** A missing key gives what the map gives. */
class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const value = this.entries.get(key);
    if (this.entries.delete(key)) this.entries.set(key, value);
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
