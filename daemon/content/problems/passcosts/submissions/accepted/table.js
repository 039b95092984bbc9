"use strict";

/** Works backwards: a row for each visit, a column for each place in the round. */
const pass_costs = (visits, kinds, free_every) => {
  if (visits.length > 0 && kinds.length === 0) return -1;
  const columns = Math.max(free_every, 1);
  const table = [new Array(columns).fill(0)];
  // Each row is put in front, so row number k belongs to the visit k places ahead.
  for (let first = visits.length - 1; first >= 0; first -= 1) {
    const row = new Array(columns).fill(Infinity);
    for (const [days, uses, price] of kinds) {
      let covered = 0;
      while (covered < uses && visits[first + covered] < visits[first] + days) covered += 1;
      const ahead = table[covered - 1];
      for (let column = 0; column < columns; column += 1) {
        const due = column === free_every - 1 ? 0 : price;
        row[column] = Math.min(row[column], due + ahead[(column + 1) % columns]);
      }
    }
    table.unshift(row);
  }
  return table[0][0];
};

module.exports = { pass_costs };
