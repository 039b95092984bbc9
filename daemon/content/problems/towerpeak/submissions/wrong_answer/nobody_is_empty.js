"use strict";

/** If no visit counts, the answer is an empty list. */
function fullest(visits) {
  const stays = visits.map(([a, b]) => [Math.min(a, b), Math.max(a, b)]);
  const begins = stays.filter(([a, b]) => a < b).map(([a]) => a);
  begins.sort((x, y) => x - y);
  let best = [0, -1];
  for (const second of begins) {
    const inside = stays.filter(([a, b]) => a <= second && second < b).length;
    if (inside > best[0]) best = [inside, second];
  }
  return best[0] ? best : [];
}

module.exports = { fullest };
