"use strict";

/** Answers true to everyone who leaves. */
class Keeper {
  constructor(chairs) {
    this.ends = new Array(chairs).fill(-1);
  }

  take(now, until) {
    if (until <= now) return 0;
    const at = this.ends.findIndex((end) => end <= now);
    if (at >= 0) this.ends[at] = until;
    return at + 1;
  }

  renew(now, chair, until) {
    if (until <= now || !(this.ends[chair - 1] > now)) return false;
    this.ends[chair - 1] = until;
    return true;
  }

  leave(now, chair) {
    if (chair <= this.ends.length) this.ends[chair - 1] = now;
    return true;
  }

  free(now) {
    return this.ends.filter((end) => end <= now).length;
  }
}

module.exports = { Keeper };
