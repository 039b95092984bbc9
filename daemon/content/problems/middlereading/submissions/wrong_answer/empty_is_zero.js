"use strict";

/** Without a reading the answer is 0. */
class Station {
  constructor(room) {
    this.room = room;
    this.levels = [];
  }

  add(level) {
    if (this.levels.length >= this.room) return false;
    this.levels.push(level);
    this.levels.sort((a, b) => a - b);
    return true;
  }

  middle() {
    return this.levels[(this.levels.length - 1) >> 1] ?? 0;
  }

  send() {
    if (this.levels.length === 0) return 0;
    return this.levels.splice((this.levels.length - 1) >> 1, 1)[0];
  }
}

module.exports = { Station };
