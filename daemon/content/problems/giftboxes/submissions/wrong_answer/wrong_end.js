"use strict";

/** Passes over the jar at the other end. */
function pack_jars(prices, low, high) {
  let cheap = 0;
  let dear = prices.length - 1;
  let boxes = 0;
  while (cheap < dear) {
    const total = prices[cheap] + prices[dear];
    if (total > high) {
      cheap += 1;
    } else if (total < low) {
      dear -= 1;
    } else {
      boxes += 1;
      cheap += 1;
      dear -= 1;
    }
  }
  return [boxes, prices.length - 2 * boxes];
}

module.exports = { pack_jars };
