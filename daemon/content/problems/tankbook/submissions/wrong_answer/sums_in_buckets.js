"use strict";

/** Keeps the totals in a table of fixed size, where different ones can meet. */
function count_spans(changes, target, least) {
  let count = 0;
  let total = 0;
  let totals = [0];
  let seen = new Map();
  for (const change of changes) {
    if (change === "-") {
      total = 0;
      totals = [0];
      seen = new Map();
      continue;
    }
    total += change;
    totals.push(total);
    if (totals.length > least) {
      const early = totals[totals.length - 1 - least];
      const place = ((early % 4099) + 4099) % 4099;
      seen.set(place, (seen.get(place) ?? 0) + 1);
    }
    count += seen.get((((total - target) % 4099) + 4099) % 4099) ?? 0;
  }
  return count;
}

module.exports = { count_spans };
