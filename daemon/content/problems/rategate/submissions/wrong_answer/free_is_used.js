"use strict";

/** Answers how many visits count, not how many are free. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.visits = new Map();
  }

  enter(badge, time) {
    const counting = this.#counting(badge, time);
    if (counting.length >= this.limit) return false;
    counting.push(time);
    return true;
  }

  free(badge, time) {
    return this.#counting(badge, time).length;
  }

  #counting(badge, time) {
    let times = this.visits.get(badge);
    if (times === undefined) this.visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
