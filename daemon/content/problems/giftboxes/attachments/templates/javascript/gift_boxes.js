"use strict";

/** Return how many boxes can be filled, and how many jars stay on the shelf. */
function pack_jars(prices, low, high) {}

module.exports = { pack_jars };
