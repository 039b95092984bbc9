"use strict";

/** Lighthouses that are joined by cables, one cable at a time. */
class Coast {
  /** Start with this many lighthouses and no cables. */
  constructor(count) {}

  /** Lay a cable; return whether it made one group out of two. */
  lay(one, other) {}

  /** Return whether the two can talk. */
  can_talk(one, other) {}

  /** Return how many are in the group of this one. */
  size(one) {}

  /** Return how many groups there are. */
  groups() {}

  /** Return the speaker of the group of this one. */
  speaker(one) {}
}

module.exports = { Coast };
