"use strict";

/** A visit that was turned away counts too. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.visits = new Map();
  }

  enter(badge, time) {
    const counting = this.#counting(badge, time);
    counting.push(time);
    return counting.length <= this.limit;
  }

  free(badge, time) {
    return Math.max(0, this.limit - this.#counting(badge, time).length);
  }

  #counting(badge, time) {
    let times = this.visits.get(badge);
    if (times === undefined) this.visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
