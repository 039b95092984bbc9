"use strict";

/** All stations keep their readings in one list, which belongs to the class. */
class Station {
  static levels = [];

  constructor(room) {
    this.room = room;
    this.levels = Station.levels;
    this.levels.length = 0;
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
    if (this.levels.length === 0) return null;
    return this.levels.splice((this.levels.length - 1) >> 1, 1)[0];
  }
}

module.exports = { Station };
