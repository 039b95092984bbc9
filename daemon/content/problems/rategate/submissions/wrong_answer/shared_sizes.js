"use strict";

/** All gates use the sizes of the newest. */
class RateGate {
  constructor(limit, window) {
    RateGate.limit = limit;
    RateGate.window = window;
    this.visits = new Map();
  }

  enter(badge, time) {
    const counting = this.#counting(badge, time);
    if (counting.length >= RateGate.limit) return false;
    counting.push(time);
    return true;
  }

  free(badge, time) {
    return RateGate.limit - this.#counting(badge, time).length;
  }

  #counting(badge, time) {
    let times = this.visits.get(badge);
    if (times === undefined) this.visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - RateGate.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
