"use strict";

/** Remembers when each chair is due, and tries the lowest first. */
class Keeper {
  constructor(chairs) {
    this.ends = new Array(chairs).fill(-1);
  }

  take(now, until) {
    const at = until > now ? this.ends.findIndex((end) => end <= now) : -1;
    if (at >= 0) this.ends[at] = until;
    return at + 1;
  }

  renew(now, chair, until) {
    if (until <= now || !(this.ends[chair - 1] > now)) return false;
    this.ends[chair - 1] = until;
    return true;
  }

  leave(now, chair) {
    if (!(this.ends[chair - 1] > now)) return false;
    this.ends[chair - 1] = now;
    return true;
  }

  free(now) {
    return this.ends.filter((end) => end <= now).length;
  }
}

module.exports = { Keeper };
