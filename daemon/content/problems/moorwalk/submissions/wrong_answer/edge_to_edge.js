"use strict";

/** A step over the upper or left edge comes back on the other side. */
function moor_walk(rows) {
  const steps = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const look = (r, c) => rows.at(r)?.at(c) ?? "#";
  const inside = (at, size) => (at < 0 ? at + size : at);
  const name = (r, c) => `${r} ${c}`;
  const mist = new Map();
  let line = [];
  let start;
  rows.forEach((row, r) => [...row].forEach((mark, c) => {
    if (mark === "A") start = [r, c];
    if (mark !== "~") return;
    mist.set(name(r, c), 0);
    line.push([r, c]);
  }));
  for (const [r, c] of line) {
    for (const [i, j] of steps) {
      const at = name(r + i, c + j);
      if (r + i < 0 || c + j < 0) continue;
      if (look(r + i, c + j) === "#" || mist.has(at)) continue;
      mist.set(at, mist.get(name(r, c)) + 1);
      line.push([r + i, c + j]);
    }
  }
  line = [[...start, false, 0]];
  const seen = new Set([name(...start) + false]);
  for (const [x, y, lit, before] of line) {
    const [r, c] = [inside(x, rows.length), inside(y, rows[0].length)];
    const minute = before + 1;
    for (const [i, j] of steps) {
      const mark = look(r + i, c + j);
      const left = (mist.get(name(r + i, c + j)) ?? Infinity) - minute;
      if (mark === "#") continue;
      if (!lit && (left < 0 || (left === 0 && mark !== "H" && mark !== "o"))) continue;
      if (mark === "H") return minute;
      const next = lit || mark === "o";
      const state = name(r + i, c + j) + next;
      if (seen.has(state)) continue;
      seen.add(state);
      line.push([r + i, c + j, next, minute]);
    }
  }
  return -1;
}

module.exports = { moor_walk };
