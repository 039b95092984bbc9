"use strict";

/** Return for each place how far its signal travels: 0 if it is lost, -1 for a ruin. */
function signals(heights, reach) {}

module.exports = { signals };
