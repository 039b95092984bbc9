"use strict";

/** Takes for granted that a chair exists. */
class Keeper {
  constructor(chairs) {
    this.chairs = Array.from({ length: chairs }, () => ({ end: -1 }));
  }

  take(now, until) {
    if (until <= now) return 0;
    const at = this.chairs.findIndex((chair) => chair.end <= now);
    if (at >= 0) this.chairs[at].end = until;
    return at + 1;
  }

  renew(now, chair, until) {
    if (until <= now || this.chairs[chair - 1].end <= now) return false;
    this.chairs[chair - 1].end = until;
    return true;
  }

  leave(now, chair) {
    if (this.chairs[chair - 1].end <= now) return false;
    this.chairs[chair - 1].end = now;
    return true;
  }

  free(now) {
    return this.chairs.filter((chair) => chair.end <= now).length;
  }
}

module.exports = { Keeper };
