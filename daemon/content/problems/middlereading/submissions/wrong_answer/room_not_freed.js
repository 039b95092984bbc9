"use strict";

/** Counts all readings that ever came, so a send makes no room. */
class Station {
  constructor(room) {
    this.room = room;
    this.count = 0;
    this.levels = [];
  }

  add(level) {
    if (this.count >= this.room) return false;
    this.count += 1;
    this.levels.push(level);
    this.levels.sort((a, b) => a - b);
    return true;
  }

  middle() {
    return this.levels[(this.levels.length - 1) >> 1] ?? null;
  }

  send() {
    if (this.levels.length === 0) return null;
    return this.levels.splice((this.levels.length - 1) >> 1, 1)[0];
  }
}

module.exports = { Station };
