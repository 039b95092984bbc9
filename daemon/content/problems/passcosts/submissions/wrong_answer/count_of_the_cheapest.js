"use strict";

/** Keeps the cheapest sum up to each visit, and the number of passes of that sum alone. */
function pass_costs(visits, kinds, free_every) {
  if (visits.length > 0 && kinds.length === 0) return -1;
  const best = [{ total: 0, count: 0 }];
  visits.forEach((day, at) => {
    if (best[at] === undefined) return;
    const count = best[at].count + 1;
    for (const [days, uses, price] of kinds) {
      let end = at + 1;
      while (end < visits.length && end - at < uses && visits[end] < day + days) end += 1;
      const free = free_every > 0 && count % free_every === 0;
      const total = best[at].total + (free ? 0 : price);
      const known = best[end];
      if (known === undefined || total < known.total || (total === known.total && count < known.count)) {
        best[end] = { total, count };
      }
    }
  });
  return best[visits.length].total;
}

module.exports = { pass_costs };
