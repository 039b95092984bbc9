"use strict";

/** The names of the boats that lie in a harbour. */
class Register {
  /** Start without names. */
  constructor() {}

  /** Enter a name; say whether it is new. */
  add(name) {}

  /** Strike a name out; say whether it was there. */
  remove(name) {}

  /** Return how many names begin with `start`. */
  count(start) {}

  /** Return the first names that begin with `start`, at most `most`. */
  first(start, most) {}
}

module.exports = { Register };
