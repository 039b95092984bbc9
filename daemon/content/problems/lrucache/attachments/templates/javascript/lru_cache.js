"use strict";

/** A cache of fixed size that drops the least recently used key. */
class LRUCache {
  /** Start empty, with room for `capacity` keys. */
  constructor(capacity) {}

  /** Return the value of `key`, or -1 if it is not in the cache. */
  get(key) {}

  /** Store `value` under `key`; a full cache makes room first. */
  put(key, value) {}
}

module.exports = { LRUCache };
