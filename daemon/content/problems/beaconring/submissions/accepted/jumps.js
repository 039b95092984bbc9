"use strict";

/** Follows what later places have found. */
function signals(heights, reach) {
  const ring = [...heights, ...heights];
  const following = new Array(ring.length);
  for (let place = ring.length - 1; place >= 0; place -= 1) {
    let other = place + 1;
    while (other < ring.length && ring[other] <= ring[place]) other = following[other];
    following[place] = other;
  }
  return heights.map((height, place) => {
    if (height === 0) return -1;
    const way = following[place] - place;
    return following[place] < ring.length && way <= reach ? way : 0;
  });
}

module.exports = { signals };
