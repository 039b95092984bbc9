"use strict";

/** Goes up the shelf; the jars that may still be a partner are a stack, the dearest on top. */
const pack_jars = (prices, low, high) => {
  const shelf = [...prices];
  let boxes = 0;
  for (let at = 0; at + 1 < shelf.length; at++) {
    while (at + 1 < shelf.length && prices[at] + shelf.at(-1) > high) shelf.pop();
    if (at + 1 < shelf.length && prices[at] + shelf.at(-1) >= low) {
      shelf.pop();
      boxes++;
    }
  }
  return [boxes, prices.length - 2 * boxes];
};

module.exports = { pack_jars };
