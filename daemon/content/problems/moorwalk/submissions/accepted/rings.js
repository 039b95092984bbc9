"use strict";

/** Plays the minutes: first every walker takes a step, then the mist does. */
function moor_walk(rows) {
  const width = rows[0].length + 1;
  const moor = "#".repeat(width) + rows.map((row) => row + "#").join("") + "#".repeat(width);
  const all = [...moor].map((mark, at) => [mark, at]);
  const fog = new Set(all.filter(([mark]) => mark === "~").map(([, at]) => at));
  const been = new Set();
  const beenLit = new Set();
  let front = [...fog];
  let walkers = [moor.indexOf("A")];
  let lit = [];

  const onward = (places, allowed) => {
    const next = new Set();
    for (const at of places) {
      for (const near of [at - width, at - 1, at + 1, at + width]) {
        if (moor[near] !== "#" && allowed(near)) next.add(near);
      }
    }
    return [...next];
  };

  for (let minute = 1; walkers.length + lit.length > 0; minute += 1) {
    walkers = onward(walkers, (at) => !fog.has(at) && !been.has(at));
    lit = onward(lit, (at) => !beenLit.has(at));
    lit.push(...walkers.filter((at) => moor[at] === "o" && !beenLit.has(at)));
    if ([...walkers, ...lit].some((at) => moor[at] === "H")) return minute;
    front = onward(front, (at) => !fog.has(at));
    for (const at of front) fog.add(at);
    walkers = walkers.filter((at) => !fog.has(at));
    for (const at of walkers) been.add(at);
    for (const at of lit) beenLit.add(at);
  }
  return -1;
}

module.exports = { moor_walk };
