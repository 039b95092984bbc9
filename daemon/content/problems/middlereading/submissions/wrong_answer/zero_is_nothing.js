"use strict";

/** Takes the level 0 for no reading. */
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
    return this.levels[(this.levels.length - 1) >> 1] || null;
  }

  send() {
    if (this.levels.length === 0) return null;
    return this.levels.splice((this.levels.length - 1) >> 1, 1)[0] || null;
  }
}

module.exports = { Station };
