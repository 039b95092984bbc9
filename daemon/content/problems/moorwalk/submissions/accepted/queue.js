"use strict";

/** Two searches over numbered squares; the second one counts lit squares apart. */
function moor_walk(rows) {
  const width = rows[0].length + 2;
  const rock = "#".repeat(width);
  const moor = rock + rows.map((row) => `#${row}#`).join("") + rock;
  const ways = [-width, -1, 1, width];
  const mist = mistTimes(moor, ways);

  // Places with a lantern have numbers above those without.
  const size = moor.length;
  const start = moor.indexOf("A");
  const minutes = new Map([[start, 0]]);
  const line = [start];
  for (let next = 0; next < line.length; next += 1) {
    const state = line[next];
    const lit = state >= size;
    const minute = minutes.get(state) + 1;
    for (const way of ways) {
      const at = (state % size) + way;
      const mark = moor[at];
      if (mark === "#") continue;
      // Walkers move first: equal is early enough for "H" and "o".
      const left = mist[at] - minute;
      if (!lit && (left < 0 || (left === 0 && mark !== "H" && mark !== "o"))) continue;
      if (mark === "H") return minute;
      const reached = lit || mark === "o" ? at + size : at;
      if (minutes.has(reached)) continue;
      minutes.set(reached, minute);
      line.push(reached);
    }
  }
  return -1;
}

function mistTimes(moor, ways) {
  const times = new Array(moor.length).fill(Infinity);
  const line = [];
  for (let at = 0; at < moor.length; at += 1) {
    if (moor[at] === "~") {
      times[at] = 0;
      line.push(at);
    }
  }
  for (let next = 0; next < line.length; next += 1) {
    for (const way of ways) {
      const at = line[next] + way;
      if (moor[at] !== "#" && times[at] === Infinity) {
        times[at] = times[line[next]] + 1;
        line.push(at);
      }
    }
  }
  return times;
}

module.exports = { moor_walk };
