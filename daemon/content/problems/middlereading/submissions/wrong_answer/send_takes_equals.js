"use strict";

/** A send takes out all readings of its level. */
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
    return this.levels[(this.levels.length - 1) >> 1] ?? null;
  }

  send() {
    const level = this.middle();
    this.levels = this.levels.filter((other) => other !== level);
    return level;
  }
}

module.exports = { Station };
