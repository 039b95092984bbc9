"use strict";

/** A board of prices with undo, redo and groups of changes. */
class PriceBoard {
  /** Start with every stall at 0; at most `depth` steps can be taken back. */
  constructor(depth) {}

  /** Change a price; return the one before. */
  write(stall, price) {}

  /** Return the price that a stall shows. */
  read(stall) {}

  /** Open a group. */
  begin() {}

  /** Close the group. */
  end() {}

  /** Take the newest step back; return the number of its writes, or 0. */
  undo() {}

  /** Do the step again that was taken back last; return the number of its writes, or 0. */
  redo() {}
}

module.exports = { PriceBoard };
