"use strict";

/** All caches count their uses together, and each new one begins to count anew. */
class LRUCache {
  static uses = 0;

  constructor(capacity) {
    LRUCache.uses = 0;
    this.capacity = capacity;
    this.entries = new Map();
  }

  get(key) {
    const entry = this.entries.get(key);
    if (entry === undefined) return -1;
    entry.used = LRUCache.uses += 1;
    return entry.value;
  }

  put(key, value) {
    if (!this.entries.has(key) && this.entries.size === this.capacity) {
      let oldest;
      for (const [other, { used }] of this.entries) {
        if (oldest === undefined || used < this.entries.get(oldest).used) oldest = other;
      }
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value, used: LRUCache.uses += 1 });
  }
}

module.exports = { LRUCache };
