"use strict";

/** The book of a beach with chairs for hire. */
class Keeper {
  /** Start with the chairs 1 to `chairs`, all of them free. */
  constructor(chairs) {}

  /** Hire out the lowest free chair; return its number, or 0. */
  take(now, until) {}

  /** Let a hire end at another time; say whether it could be done. */
  renew(now, chair, until) {}

  /** End a hire; say whether there was one. */
  leave(now, chair) {}

  /** Return how many chairs are free. */
  free(now) {}
}

module.exports = { Keeper };
