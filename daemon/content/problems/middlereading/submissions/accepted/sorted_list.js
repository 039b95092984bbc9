"use strict";

/** Every reading is put in its place in one sorted list, found by halving. */
class Station {
  constructor(room) {
    this.room = room;
    this.levels = [];
  }

  add(level) {
    if (this.levels.length >= this.room) return false;
    let low = 0;
    let high = this.levels.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (this.levels[half] < level) low = half + 1;
      else high = half;
    }
    this.levels.splice(low, 0, level);
    return true;
  }

  middle() {
    return this.levels[this.#place()] ?? null;
  }

  send() {
    return this.levels.splice(this.#place(), 1)[0] ?? null;
  }

  #place() {
    return Math.max(0, (this.levels.length - 1) >> 1);
  }
}

module.exports = { Station };
