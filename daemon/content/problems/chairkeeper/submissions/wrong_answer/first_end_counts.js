"use strict";

/** A renewal is one more hire of the chair; the one that ends first frees it. */
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
    this.catchUp(now);
    const hired = this.hires.some((hire) => hire.chair === chair);
    if (until <= now || !hired) return false;
    this.hires.push({ chair, until });
    return true;
  }

  leave(now, chair) {
    this.catchUp(now);
    if (!this.hires.some((hire) => hire.chair === chair)) return false;
    this.hires = this.hires.filter((hire) => hire.chair !== chair);
    this.vacant.push(chair);
    return true;
  }

  free(now) {
    this.catchUp(now);
    return this.vacant.length;
  }

  catchUp(now) {
    const over = new Set(this.hires.filter((hire) => hire.until <= now).map((hire) => hire.chair));
    this.hires = this.hires.filter((hire) => !over.has(hire.chair));
    this.vacant.push(...over);
  }
}

module.exports = { Keeper };
