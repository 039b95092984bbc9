"use strict";

/** Gives each jar, dearest first, the dearest partner that the upper bound allows. */
function pack_jars(prices, low, high) {
  const rest = [...prices];
  let boxes = 0;
  while (rest.length > 0) {
    const first = rest.pop();
    const at = rest.findLastIndex((price) => first + price <= high);
    if (at >= 0 && first + rest[at] >= low) {
      rest.splice(at, 1);
      boxes++;
    }
  }
  return [boxes, prices.length - 2 * boxes];
}

module.exports = { pack_jars };
