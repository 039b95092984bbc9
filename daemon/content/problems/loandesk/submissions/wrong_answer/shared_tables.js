"use strict";

let holders, counts;

/** All desks write into the same tables. */
class LoanDesk {
  constructor(limit) {
    this.limit = limit;
    holders = new Map();
    counts = new Map();
  }

  lend(tool, person) {
    const count = this.held(person);
    if (holders.has(tool) || count >= this.limit) return -1;
    holders.set(tool, person);
    counts.set(person, count + 1);
    return count + 1;
  }

  give_back(tool, person) {
    if (holders.get(tool) !== person) return -1;
    holders.delete(tool);
    counts.set(person, counts.get(person) - 1);
    return counts.get(person);
  }

  holder(tool) {
    return holders.get(tool) ?? 0;
  }

  held(person) {
    return counts.get(person) ?? 0;
  }
}

module.exports = { LoanDesk };
