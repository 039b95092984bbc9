"use strict";

/** Takes for granted that there is a reading. */
class Station {
  constructor(room) {
    this.room = room;
    this.readings = [];
  }

  add(level) {
    if (this.readings.length >= this.room) return false;
    this.readings.push({ level });
    this.readings.sort((a, b) => a.level - b.level);
    return true;
  }

  middle() {
    return this.readings[(this.readings.length - 1) >> 1].level;
  }

  send() {
    const place = (this.readings.length - 1) >> 1;
    return this.readings.splice(place, 1)[0].level;
  }
}

module.exports = { Station };
