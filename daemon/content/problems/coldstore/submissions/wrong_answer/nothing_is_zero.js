"use strict";

/** Where no line holds it answers 0. */
class SettingBook {
  constructor() {
    this.rooms = new Map();
  }

  note(room, second, degrees) {
    if (!this.rooms.has(room)) this.rooms.set(room, new Map());
    this.rooms.get(room).set(second, degrees);
  }

  erase(room, second) {
    const found = this.rooms.get(room) ?? new Map();
    if (!found.has(second)) return false;
    found.delete(second);
    return true;
  }

  degrees_at(room, second) {
    const found = this.rooms.get(room) ?? new Map();
    const past = [...found.keys()].filter((at) => at <= second);
    return past.length ? found.get(Math.max(...past)) : 0;
  }
}

module.exports = { SettingBook };
