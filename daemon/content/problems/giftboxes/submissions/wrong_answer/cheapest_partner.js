"use strict";

/** Gives each jar, cheapest first, the cheapest partner that makes a box dear enough. */
function pack_jars(prices, low, high) {
  const rest = [...prices];
  let boxes = 0;
  while (rest.length > 0) {
    const first = rest.shift();
    const at = rest.findIndex((price) => first + price >= low);
    if (at >= 0 && first + rest[at] <= high) {
      rest.splice(at, 1);
      boxes++;
    }
  }
  return [boxes, prices.length - 2 * boxes];
}

module.exports = { pack_jars };
