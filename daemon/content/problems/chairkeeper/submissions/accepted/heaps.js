"use strict";

/** A heap whose first item is the one that comes before all others. */
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
      if (child + 1 < items.length && this.before(items[child + 1], items[child])) child += 1;
      if (!this.before(items[child], items[at])) return;
      [items[at], items[child]] = [items[child], items[at]];
      at = child;
    }
  }
}

/** Free chairs and ends stand in heaps; what is outdated is passed over. */
class Keeper {
  constructor(chairs) {
    this.vacant = new Heap((a, b) => a < b);
    for (let chair = 1; chair <= chairs; chair++) this.vacant.push(chair);
    this.ends = new Heap((a, b) => a.until < b.until);
    // Chair by chair, when its hire is over.
    this.until = new Map();
  }

  take(now, until) {
    this.#catchUp(now);
    if (until <= now || this.vacant.size === 0) return 0;
    const chair = this.vacant.pop();
    this.#hire(chair, until);
    return chair;
  }

  renew(now, chair, until) {
    this.#catchUp(now);
    if (until <= now || !this.until.has(chair)) return false;
    this.#hire(chair, until);
    return true;
  }

  leave(now, chair) {
    this.#catchUp(now);
    if (!this.until.has(chair)) return false;
    this.#vacate(chair);
    return true;
  }

  free(now) {
    this.#catchUp(now);
    return this.vacant.size;
  }

  #hire(chair, until) {
    this.until.set(chair, until);
    this.ends.push({ until, chair });
  }

  #vacate(chair) {
    this.until.delete(chair);
    this.vacant.push(chair);
  }

  #catchUp(now) {
    while (this.ends.size > 0 && this.ends.first.until <= now) {
      const { until, chair } = this.ends.pop();
      if (this.until.get(chair) === until) this.#vacate(chair);
    }
  }
}

module.exports = { Keeper };
