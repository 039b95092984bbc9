"use strict";

/** The changes are sorted as texts. */
function fullest(visits) {
  const changes = [];
  for (const [one, other] of visits) {
    if (one === other) continue;
    changes.push([Math.min(one, other), 1], [Math.max(one, other), -1]);
  }
  changes.sort();
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
