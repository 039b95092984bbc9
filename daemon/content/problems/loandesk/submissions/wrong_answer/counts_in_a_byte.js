"use strict";

/** Counts in one byte for each person. */
class LoanDesk {
  constructor(limit) {
    this.limit = limit;
    this.holders = new Map();
    this.counts = new Map();
  }

  lend(tool, person) {
    const count = this.held(person);
    if (this.holders.has(tool) || count >= this.limit) return -1;
    this.holders.set(tool, person);
    this.counts.set(person, (count + 1) & 255);
    return count + 1;
  }

  give_back(tool, person) {
    if (this.holders.get(tool) !== person) return -1;
    this.holders.delete(tool);
    this.counts.set(person, this.counts.get(person) - 1);
    return this.counts.get(person);
  }

  holder(tool) {
    return this.holders.get(tool) ?? 0;
  }

  held(person) {
    return this.counts.get(person) ?? 0;
  }
}

module.exports = { LoanDesk };
