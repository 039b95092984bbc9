"use strict";

/** Takes the pass that covers most visits. */
function pass_costs(visits, kinds, free_every) {
  if (visits.length > 0 && kinds.length === 0) return -1;
  let [at, count, total] = [0, 0, 0];
  while (at < visits.length) {
    let taken = null;
    for (const [days, uses, price] of kinds) {
      let end = at + 1;
      while (end < visits.length && end - at < uses && visits[end] < visits[at] + days) end += 1;
      const due = count + 1 === free_every ? 0 : price;
      if (taken === null || end > taken.end) {
        taken = { end, due };
      }
    }
    at = taken.end;
    total += taken.due;
    count = free_every > 0 ? (count + 1) % free_every : 0;
  }
  return total;
}

module.exports = { pass_costs };
