"use strict";

/** Counts only spans of exactly `least` days. */
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
      if (early === total - target) count += 1;
    }
  }
  return count;
}

module.exports = { count_spans };
