"use strict";

/** All books have one list of ends, which belongs to the class. */
class Keeper {
  static ends = [];

  constructor(chairs) {
    this.ends = Keeper.ends;
    this.ends.length = chairs;
    this.ends.fill(-1);
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
    if (!(this.ends[chair - 1] > now)) return false;
    this.ends[chair - 1] = now;
    return true;
  }

  free(now) {
    return this.ends.filter((end) => end <= now).length;
  }
}

module.exports = { Keeper };
