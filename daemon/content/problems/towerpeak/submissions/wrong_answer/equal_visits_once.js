"use strict";

/** Equal visits count once. */
function fullest(visits) {
  const stays = [...new Set(visits.map(([a, b]) => [a, b].sort((x, y) => x - y).join()))]
    .map((text) => text.split(",").map(Number));
  const begins = stays.filter(([a, b]) => a < b).map(([a]) => a);
  begins.sort((x, y) => x - y);
  let best = [0, -1];
  for (const second of begins) {
    const inside = stays.filter(([a, b]) => a <= second && second < b).length;
    if (inside > best[0]) best = [inside, second];
  }
  return best;
}

module.exports = { fullest };
