"use strict";

/** Plans with passes of a single kind, and takes the best kind. */
function pass_costs(visits, kinds, free_every) {
  if (visits.length === 0 || kinds.length === 0) return visits.length > 0 ? -1 : 0;
  const totals = kinds.map(([days, uses, price]) => {
    let [at, count, total] = [0, 0, 0];
    while (at < visits.length) {
      const start = at;
      while (at < visits.length && at - start < uses && visits[at] < visits[start] + days) at += 1;
      count += 1;
      if (free_every === 0 || count % free_every !== 0) total += price;
    }
    return total;
  });
  return Math.min(...totals);
}

module.exports = { pass_costs };
