"use strict";

/** The memory of a station that gives away its middle reading. */
class Station {
  /** Start with no reading and with room for `room` of them. */
  constructor(room) {}

  /** Keep a reading; say whether there was room for it. */
  add(level) {}

  /** Return the middle reading, or null if there is none. */
  middle() {}

  /** Take the middle reading out and return it, or return null. */
  send() {}
}

module.exports = { Station };
