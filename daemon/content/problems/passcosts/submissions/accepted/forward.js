"use strict";

/** Goes through the visits in order and hands the best sums on to where each pass ends. */
const pass_costs = (visits, kinds, free_every) => {
  const sums = visits.map(() => new Map());
  sums.push(new Map());
  sums[0].set(0, 0);
  visits.forEach((day, now) => {
    for (const [count, sum] of sums[now]) {
      const number = count + 1;
      const gift = number === free_every;
      for (const [days, uses, price] of kinds) {
        let end = now;
        while (end < visits.length && end < now + uses && visits[end] - day < days) end += 1;
        const total = gift ? sum : sum + price;
        const next = gift || free_every === 0 ? 0 : number;
        if (!(sums[end].get(next) <= total)) sums[end].set(next, total);
      }
    }
  });
  const found = [...sums[visits.length].values()];
  return found.length > 0 ? Math.min(...found) : -1;
};

module.exports = { pass_costs };
