"use strict";

/** The record of a desk that lends tools: who holds what. */
class LoanDesk {
  /** Start with all tools at the desk; a person may hold `limit` of them. */
  constructor(limit) {}

  /** Hand the tool out; return how many the person then holds, or -1 if refused. */
  lend(tool, person) {}

  /** Take the tool back; return how many the person then holds, or -1 if refused. */
  give_back(tool, person) {}

  /** Return who holds the tool, or 0 if it is at the desk. */
  holder(tool) {}

  /** Return how many tools the person holds. */
  held(person) {}
}

module.exports = { LoanDesk };
