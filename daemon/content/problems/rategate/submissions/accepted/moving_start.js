"use strict";

/** Keeps every admitted time; a number says how many at the start no longer count. */
class RateGate {
  constructor(limit, window) {
    this.limit = limit;
    this.window = window;
    this.records = new Map();
  }

  enter(badge, time) {
    if (this.free(badge, time) === 0) return false;
    this.records.get(badge).times.push(time);
    return true;
  }

  free(badge, time) {
    if (!this.records.has(badge)) this.records.set(badge, { times: [], start: 0 });
    const record = this.records.get(badge);
    while (record.start < record.times.length && record.times[record.start] + this.window <= time) {
      record.start += 1;
    }
    return this.limit - (record.times.length - record.start);
  }
}

module.exports = { RateGate };
