"use strict";

/** One list of steps and a place in it: what stands lies before, what was taken back behind. */
class PriceBoard {
  constructor(depth) {
    this.depth = depth;
    this.shown = {};
    this.steps = [];
    this.place = 0;
    this.open = false;
    this.fresh = [];
  }

  write(stall, price) {
    const before = this.read(stall);
    this.shown[stall] = price;
    this.steps.length = this.place;
    this.fresh.push([stall, before, price]);
    if (!this.open) this.close();
    return before;
  }

  read(stall) {
    return this.shown[stall] || 0;
  }

  begin() {
    this.open = true;
  }

  end() {
    this.open = false;
    this.close();
  }

  close() {
    if (this.fresh.length === 0) return;
    this.steps.push(this.fresh);
    this.steps = this.steps.slice(-this.depth);
    this.place = this.steps.length;
    this.fresh = [];
  }

  undo() {
    if (this.open || this.place === 0) return 0;
    this.place -= 1;
    const writes = this.steps[this.place];
    for (let at = writes.length - 1; at >= 0; at -= 1) {
      const [stall, before] = writes[at];
      this.shown[stall] = before;
    }
    return writes.length;
  }

  redo() {
    if (this.open || this.place === this.steps.length) return 0;
    const writes = this.steps[this.place];
    for (const [stall, , after] of writes) this.shown[stall] = after;
    this.place += 1;
    return writes.length;
  }
}

module.exports = { PriceBoard };
