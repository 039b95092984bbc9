"use strict";

/** A change of 0 is taken for a dash. */
function count_spans(changes, target, least) {
  let count = 0;
  let total = 0;
  let totals = [0];
  let seen = new Map();
  for (const change of changes) {
    if (!Number(change)) {
      total = 0;
      totals = [0];
      seen = new Map();
      continue;
    }
    total += change;
    totals.push(total);
    if (totals.length > least) {
      const early = totals[totals.length - 1 - least];
      seen.set(early, (seen.get(early) ?? 0) + 1);
    }
    count += seen.get(total - target) ?? 0;
  }
  return count;
}

module.exports = { count_spans };
