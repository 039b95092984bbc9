"use strict";

/** Packs jars that stand side by side. */
function pack_jars(prices, low, high) {
  let boxes = 0;
  for (let at = 0; at + 1 < prices.length; at++) {
    const total = prices[at] + prices[at + 1];
    if (total >= low && total <= high) {
      boxes++;
      at++;
    }
  }
  return [boxes, prices.length - 2 * boxes];
}

module.exports = { pack_jars };
