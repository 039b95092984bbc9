"use strict";

/** Each room has a map from second to degrees; a question looks at all of them. */
class SettingBook {
  constructor() {
    this.rooms = new Map();
  }

  note(room, second, degrees) {
    const lines = this.rooms.get(room) ?? new Map();
    lines.set(second, degrees);
    this.rooms.set(room, lines);
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
    return past.length ? found.get(Math.max(...past)) : 999;
  }
}

module.exports = { SettingBook };
