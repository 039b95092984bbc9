"use strict";

/** Keeps the levels in a set, which has each of them once. */
class Station {
  constructor(room) {
    this.room = room;
    this.levels = [];
  }

  add(level) {
    if (this.levels.length >= this.room) return false;
    this.levels = [...new Set([...this.levels, level])].sort((a, b) => a - b);
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
