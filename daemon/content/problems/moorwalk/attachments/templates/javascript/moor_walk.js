"use strict";

/** Return the minutes of the shortest walk from `A` to `H`, or -1 if there is none. */
function moor_walk(rows) {}

module.exports = { moor_walk };
