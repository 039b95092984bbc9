"use strict";

/** How cold each room has to be, from which second on. */
class SettingBook {
  /** Start with an empty book. */
  constructor() {}

  /** From this second on, the room is kept at these degrees. */
  note(room, second, degrees) {}

  /** Take the line at exactly this second out; return whether there was one. */
  erase(room, second) {}

  /** Return the degrees that hold in the room at this second, or 999. */
  degrees_at(room, second) {}
}

module.exports = { SettingBook };
