"use strict";

/** Asks for the largest of no prices. */
function pack_jars(prices, low, high) {
  high = Math.min(high, 2 * prices.reduce((a, b) => Math.max(a, b)));
  let cheap = 0;
  let dear = prices.length - 1;
  let boxes = 0;
  while (cheap < dear) {
    const total = prices[cheap] + prices[dear];
    if (total < low) {
      cheap += 1;
    } else if (total > high) {
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
