"use strict";

/** A full station drops its oldest reading for a new one. */
class Station {
  constructor(room) {
    this.room = room;
    this.came = [];
    this.levels = [];
  }

  add(level) {
    this.came.push(level);
    if (this.came.length > this.room) this.came.shift();
    this.levels = [...this.came].sort((a, b) => a - b);
    return true;
  }

  middle() {
    return this.levels[(this.levels.length - 1) >> 1] ?? null;
  }

  send() {
    const level = this.middle();
    if (level === null) return null;
    this.came.splice(this.came.indexOf(level), 1);
    this.levels.splice(this.levels.indexOf(level), 1);
    return level;
  }
}

module.exports = { Station };
