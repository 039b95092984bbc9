"use strict";

/** One person more, one person less: all changes in the order of time. */
function fullest(visits) {
  const changes = [];
  for (const [one, other] of visits) {
    if (one === other) continue;
    changes.push([Math.min(one, other), 1], [Math.max(one, other), -1]);
  }
  changes.sort((x, y) => x[0] - y[0] || x[1] - y[1]);
  let inside = 0;
  let most = 0;
  let when = -1;
  for (const [second, change] of changes) {
    inside += change;
    if (inside > most) [most, when] = [inside, second];
  }
  return [most, when];
}

module.exports = { fullest };
