"use strict";

const visits = new Map();

/** One table for all gates, made once. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
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
    let times = visits.get(badge);
    if (times === undefined) visits.set(badge, (times = []));
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
