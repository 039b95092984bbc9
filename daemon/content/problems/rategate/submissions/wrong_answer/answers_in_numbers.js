"use strict";

/** Answers 1 and 0 instead of the two truth values. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.visits = new Map();
  }

  enter(badge, time) {
    const counting = this.#counting(badge, time);
    if (counting.length >= this.limit) return 0;
    counting.push(time);
    return 1;
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
