"use strict";

/** Gets a pass in between, and goes on with the old one afterwards. */
function pass_costs(visits, kinds, free_every) {
  if (visits.length > 0 && kinds.length === 0) return -1;
  const known = new Map();

  const best = (at, count, last, left) => {
    if (at === visits.length) return 0;
    const kept = left > 0 && visits[at] <= last;
    if (!kept && last > 0) return best(at, count, 0, 0);
    const name = `${at} ${count} ${last} ${left}`;
    if (known.has(name)) return known.get(name);
    const costs = kinds.map(([days, uses, price]) => {
      let end = at + 1;
      while (end < visits.length && end - at < uses && visits[end] < visits[at] + days) end += 1;
      const free = count + 1 === free_every;
      const after = free_every > 0 ? (count + 1) % free_every : 0;
      const onward = best(end, after, last, left);
      if (uses === 1) return (free ? 0 : price) + onward;
      const begun = best(at + 1, after, visits[at] + days - 1, uses - 1);
      return (free ? 0 : price) + Math.min(begun, onward);
    });
    if (kept) costs.push(best(at + 1, count, last, left - 1));
    known.set(name, Math.min(...costs));
    return known.get(name);
  };

  return best(0, 0, 0, 0);
}

module.exports = { pass_costs };
