"use strict";

/** Looks at each price once. */
function pack_jars(prices, low, high) {
  const jars = prices.length;
  prices = [...new Set(prices)];
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
  return [boxes, jars - 2 * boxes];
}

module.exports = { pack_jars };
