"use strict";

/** A gate that admits each badge a limited number of times within a window. */
class RateGate {
  /** Nobody was here yet; a badge has `limit` visits in any `window` minutes. */
  constructor(limit, window) {}

  /** Return whether the badge is admitted at this time. */
  enter(badge, time) {}

  /** Return how many more visits the badge has at this time. */
  free(badge, time) {}
}

module.exports = { RateGate };
