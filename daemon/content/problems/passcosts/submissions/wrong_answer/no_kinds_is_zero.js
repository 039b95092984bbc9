"use strict";

/** Says 0 where there is nothing to buy. */
function pass_costs(visits, kinds, free_every) {
  if (visits.length > 0 && kinds.length === 0) return 0;
  const known = new Map();

  const best = (at, count) => {
    if (at === visits.length) return 0;
    const name = `${at} ${count}`;
    if (known.has(name)) return known.get(name);
    const costs = kinds.map(([days, uses, price]) => {
      let end = at + 1;
      while (end < visits.length && end - at < uses && visits[end] < visits[at] + days) end += 1;
      const free = count + 1 === free_every;
      const after = free_every > 0 ? (count + 1) % free_every : 0;
      return (free ? 0 : price) + best(end, after);
    });
    known.set(name, Math.min(...costs));
    return known.get(name);
  };

  return best(0, 0);
}

module.exports = { pass_costs };
