"use strict";

/** Passes over both jars of a pair that does not fit. */
function pack_jars(prices, low, high) {
  let cheap = 0;
  let dear = prices.length - 1;
  let boxes = 0;
  while (cheap < dear) {
    const total = prices[cheap] + prices[dear];
    if (total >= low && total <= high) boxes += 1;
    cheap += 1;
    dear -= 1;
  }
  return [boxes, prices.length - 2 * boxes];
}

module.exports = { pack_jars };
