"use strict";

/** The end of a guest who left early still frees the chair. */
class Keeper {
  constructor(chairs) {
    this.vacant = Array.from({ length: chairs }, (_, at) => at + 1);
    this.hires = [];
    this.taken = new Set();
  }

  take(now, until) {
    this.catchUp(now);
    if (until <= now || this.vacant.length === 0) return 0;
    this.vacant.sort((a, b) => a - b);
    const chair = this.vacant.shift();
    this.taken.add(chair);
    this.hires.push({ chair, until });
    return chair;
  }

  renew(now, chair, until) {
    this.catchUp(now);
    if (until <= now || !this.taken.has(chair)) return false;
    this.hires.findLast((hire) => hire.chair === chair).until = until;
    return true;
  }

  leave(now, chair) {
    this.catchUp(now);
    if (!this.taken.delete(chair)) return false;
    this.vacant.push(chair);
    return true;
  }

  free(now) {
    this.catchUp(now);
    return this.vacant.length;
  }

  catchUp(now) {
    for (const { chair, until } of this.hires) {
      if (until <= now && this.taken.delete(chair)) this.vacant.push(chair);
    }
    this.hires = this.hires.filter((hire) => hire.until > now);
  }
}

module.exports = { Keeper };
