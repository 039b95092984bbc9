"use strict";

/** A room has rows in rising order of their seconds; halving finds a place among them. */
class SettingBook {
  constructor() {
    this.rooms = new Map();
  }

  note(room, second, degrees) {
    if (!this.rooms.has(room)) this.rooms.set(room, []);
    const rows = this.rooms.get(room);
    const place = this.upTo(rows, second);
    if (place > 0 && rows[place - 1].second === second) {
      rows[place - 1].degrees = degrees;
    } else {
      rows.splice(place, 0, { degrees, second });
    }
  }

  erase(room, second) {
    const rows = this.rooms.get(room) ?? [];
    const place = this.upTo(rows, second);
    if (place === 0 || rows[place - 1].second !== second) return false;
    rows.splice(place - 1, 1);
    return true;
  }

  degrees_at(room, second) {
    const rows = this.rooms.get(room) ?? [];
    const place = this.upTo(rows, second);
    return place === 0 ? 999 : rows[place - 1].degrees;
  }

  /** How many rows are not later than this second. */
  upTo(rows, second) {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].second <= second) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

module.exports = { SettingBook };
