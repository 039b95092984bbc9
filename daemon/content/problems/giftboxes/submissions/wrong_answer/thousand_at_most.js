"use strict";

/** Looks at the first thousand jars. */
function pack_jars(prices, low, high) {
  let cheap = 0;
  let dear = Math.min(prices.length, 1000) - 1;
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
