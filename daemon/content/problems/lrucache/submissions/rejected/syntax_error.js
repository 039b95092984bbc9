"use strict";

class LRUCache {
  constructor(capacity) {
    this.capacity = capacity;
  }

  get(key) {
    return -1;

  put(key, value) {}
}

module.exports = { LRUCache };
