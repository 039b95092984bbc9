"use strict";

/** Opens a block with the first visit and begins anew when it is over. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.blocks = new Map();
  }

  enter(badge, time) {
    if (this.free(badge, time) === 0) return false;
    let block = this.blocks.get(badge);
    if (block === undefined || time >= block.start + this.window) block = { start: time, count: 0 };
    block.count += 1;
    this.blocks.set(badge, block);
    return true;
  }

  free(badge, time) {
    const block = this.blocks.get(badge);
    if (block === undefined || time >= block.start + this.window) return this.limit;
    return this.limit - block.count;
  }
}

module.exports = { RateGate };
