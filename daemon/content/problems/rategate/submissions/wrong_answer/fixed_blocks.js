"use strict";

/** Cuts the day into blocks and counts within each. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.counts = new Map();
  }

  enter(badge, time) {
    if (this.free(badge, time) === 0) return false;
    const block = `${badge} ${Math.floor(time / this.window)}`;
    this.counts.set(block, (this.counts.get(block) ?? 0) + 1);
    return true;
  }

  free(badge, time) {
    return this.limit - (this.counts.get(`${badge} ${Math.floor(time / this.window)}`) ?? 0);
  }
}

module.exports = { RateGate };
