"use strict";

/** Everyone has a set of tools; a second table leads back. */
class LoanDesk {
  constructor(limit) {
    this.limit = limit;
    this.hands = new Map();
    this.where = new Map();
  }

  hand(person) {
    if (!this.hands.has(person)) this.hands.set(person, new Set());
    return this.hands.get(person);
  }

  lend(tool, person) {
    const hand = this.hand(person);
    if (this.where.has(tool) || hand.size === this.limit) return -1;
    hand.add(tool);
    this.where.set(tool, person);
    return hand.size;
  }

  give_back(tool, person) {
    const hand = this.hand(person);
    if (!hand.delete(tool)) return -1;
    this.where.delete(tool);
    return hand.size;
  }

  holder(tool) {
    return this.where.has(tool) ? this.where.get(tool) : 0;
  }

  held(person) {
    return this.hand(person).size;
  }
}

module.exports = { LoanDesk };
