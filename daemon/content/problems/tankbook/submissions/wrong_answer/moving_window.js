"use strict";

/** Moves a window: longer while the sum is too small, shorter while it is too large. */
function count_spans(changes, target, least) {
  let count = 0;
  let start = 0;
  let inside = 0;
  for (let day = 0; day < changes.length; day++) {
    if (changes[day] === "-") {
      start = day + 1;
      inside = 0;
      continue;
    }
    inside += changes[day];
    while (inside > target && start < day) inside -= changes[start++];
    if (inside === target && day - start + 1 >= least) count++;
  }
  return count;
}

module.exports = { count_spans };
