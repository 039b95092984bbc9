"use strict";

let done;

/** All boards have one history. */
class PriceBoard {
  constructor(depth) {
    this.depth = depth;
    this.prices = new Map();
    done = [];
    this.undone = [];
    this.group = null;
  }

  write(stall, price) {
    const old = this.read(stall);
    this.prices.set(stall, price);
    this.undone = [];
    const change = { stall, old, price };
    if (this.group === null) this.keep([change]);
    else this.group.push(change);
    return old;
  }

  read(stall) {
    return this.prices.get(stall) ?? 0;
  }

  begin() {
    if (this.group === null) this.group = [];
  }

  end() {
    if (this.group?.length > 0) this.keep(this.group);
    this.group = null;
  }

  keep(step) {
    done.push(step);
    if (done.length > this.depth) done.shift();
  }

  undo() {
    if (this.group !== null || done.length === 0) return 0;
    const step = done.pop();
    for (const { stall, old } of [...step].reverse()) this.prices.set(stall, old);
    this.undone.push(step);
    return step.length;
  }

  redo() {
    if (this.group !== null || this.undone.length === 0) return 0;
    const step = this.undone.pop();
    for (const { stall, price } of step) this.prices.set(stall, price);
    done.push(step);
    return step.length;
  }
}

module.exports = { PriceBoard };
