"use strict";

/** A map outside of the class, so a new book begins with the hires of the last one. */
const ends = new Map();

class Keeper {
  constructor(chairs) {
    this.chairs = chairs;
  }

  take(now, until) {
    if (until <= now) return 0;
    for (let chair = 1; chair <= this.chairs; chair++) {
      if (!this.hired(now, chair)) {
        ends.set(chair, until);
        return chair;
      }
    }
    return 0;
  }

  renew(now, chair, until) {
    if (until <= now || !this.hired(now, chair)) return false;
    ends.set(chair, until);
    return true;
  }

  leave(now, chair) {
    return this.hired(now, chair) && ends.delete(chair);
  }

  free(now) {
    let count = 0;
    for (let chair = 1; chair <= this.chairs; chair++) count += !this.hired(now, chair);
    return count;
  }

  hired(now, chair) {
    return chair <= this.chairs && ends.get(chair) > now;
  }
}

module.exports = { Keeper };
