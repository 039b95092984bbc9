"use strict";

/** Remembers a hundred badges at most, and forgets the one that came first. */
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
    return this.limit - this.#counting(badge, time).length;
  }

  #counting(badge, time) {
    let times = this.visits.get(badge);
    if (times === undefined) this.visits.set(badge, (times = []));
    if (this.visits.size > 100) this.visits.delete(this.visits.keys().next().value);
    while (times.length > 0 && times[0] <= time - this.window) times.shift();
    return times;
  }
}

module.exports = { RateGate };
