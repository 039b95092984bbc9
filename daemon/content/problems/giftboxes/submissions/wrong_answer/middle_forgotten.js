"use strict";

/** Counts only the jars that were passed over. */
function pack_jars(prices, low, high) {
  let cheap = 0;
  let dear = prices.length - 1;
  let boxes = 0;
  let left = 0;
  while (cheap < dear) {
    const total = prices[cheap] + prices[dear];
    if (total < low) {
      cheap += 1;
      left += 1;
    } else if (total > high) {
      dear -= 1;
      left += 1;
    } else {
      boxes += 1;
      cheap += 1;
      dear -= 1;
    }
  }
  return [boxes, left];
}

module.exports = { pack_jars };
