"use strict";

/** Counts a visit with two equal seconds for one second. */
function fullest(visits) {
  const stays = visits.map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
  const begins = stays.map(([a]) => a);
  begins.sort((x, y) => x - y);
  let best = [0, -1];
  for (const second of begins) {
    const inside = stays.filter(([a, b]) => a <= second && second < Math.max(b, a + 1)).length;
    if (inside > best[0]) best = [inside, second];
  }
  return best;
}

module.exports = { fullest };
