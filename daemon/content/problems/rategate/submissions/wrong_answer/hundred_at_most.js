"use strict";

/** Keeps the last hundred times. */
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
    if (counting.length > 100) counting.shift();
    return true;
  }

  free(badge, time) {
    return this.limit - this.#counting(badge, time).length;
  }

  #counting(badge, time) {
    let times = this.visits.get(badge);
    if (times === undefined) this.visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
