"use strict";

/** A heap that takes two children one apart for equal, and goes on with the left one. */
class Heap {
  constructor(before) {
    this.before = before;
    this.items = [];
  }

  get size() {
    return this.items.length;
  }

  get first() {
    return this.items[0];
  }

  push(item) {
    const items = this.items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(items[at], items[parent])) break;
      [items[at], items[parent]] = [items[parent], items[at]];
      at = parent;
    }
  }

  pop() {
    const items = this.items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) {
      items[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink() {
    const items = this.items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) return;
      if (child + 1 < items.length && this.before(items[child + 1], items[child] + 1)) child += 1;
      if (!this.before(items[child], items[at])) return;
      [items[at], items[child]] = [items[child], items[at]];
      at = child;
    }
  }
}

/** The tops of both heaps are neighbours in order. */
class Station {
  constructor(room) {
    this.room = room;
    // The lower half never has fewer items; at most one more.
    this.lower = new Heap((a, b) => a > b);
    this.upper = new Heap((a, b) => a < b);
  }

  add(level) {
    if (this.lower.size + this.upper.size === this.room) return false;
    const high = this.lower.size > 0 && level > this.lower.first;
    (high ? this.upper : this.lower).push(level);
    this.#levelOut();
    return true;
  }

  middle() {
    return this.lower.size > 0 ? this.lower.first : null;
  }

  send() {
    if (this.lower.size === 0) return null;
    const level = this.lower.pop();
    this.#levelOut();
    return level;
  }

  #levelOut() {
    if (this.lower.size > this.upper.size + 1) {
      this.upper.push(this.lower.pop());
    } else if (this.lower.size < this.upper.size) {
      this.lower.push(this.upper.pop());
    }
  }
}

module.exports = { Station };
