"use strict";

/** Notices an end only when a chair is taken or counted. */
class Keeper {
  constructor(chairs) {
    this.vacant = Array.from({ length: chairs }, (_, at) => at + 1);
    this.hires = [];
  }

  take(now, until) {
    this.catchUp(now);
    if (until <= now || this.vacant.length === 0) return 0;
    this.vacant.sort((a, b) => a - b);
    const chair = this.vacant.shift();
    this.hires.push({ chair, until });
    return chair;
  }

  renew(now, chair, until) {
    const hire = this.hires.find((other) => other.chair === chair);
    if (until <= now || hire === undefined) return false;
    hire.until = until;
    return true;
  }

  leave(now, chair) {
    const at = this.hires.findIndex((hire) => hire.chair === chair);
    if (at < 0) return false;
    this.hires.splice(at, 1);
    this.vacant.push(chair);
    return true;
  }

  free(now) {
    this.catchUp(now);
    return this.vacant.length;
  }

  catchUp(now) {
    const over = this.hires.filter((hire) => hire.until <= now);
    this.hires = this.hires.filter((hire) => hire.until > now);
    this.vacant.push(...over.map((hire) => hire.chair));
  }
}

module.exports = { Keeper };
