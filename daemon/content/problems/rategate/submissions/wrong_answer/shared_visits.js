"use strict";

/** All gates use one table, which a new gate empties. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    RateGate.visits = new Map();
  }

  enter(badge, time) {
    const counting = this.#counting(badge, time);
    if (counting.length >= this.limit) return false;
    counting.push(time);
    return true;
  }

  free(badge, time) {
    return this.limit - this.#counting(badge, time).length;
  }

  #counting(badge, time) {
    let times = RateGate.visits.get(badge);
    if (times === undefined) RateGate.visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
