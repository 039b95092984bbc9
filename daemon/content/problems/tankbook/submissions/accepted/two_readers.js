"use strict";

/** Two readers go through the book; the second one is `least` days ahead of the first. */
const count_spans = (changes, target, least) => {
  let found = 0;
  let begin = 0;
  for (let day = 0; day <= changes.length; day++) {
    if (day < changes.length && changes[day] !== "-") continue;
    found += inSection(changes, begin, day, target, least);
    begin = day + 1;
  }
  return found;
};

function inSection(changes, begin, end, target, least) {
  const before = new Map();
  let behind = 0;
  let ahead = 0;
  let found = 0;
  for (let day = begin; day < end; day++) {
    ahead += changes[day];
    if (day - begin + 1 < least) continue;
    before.set(behind, (before.get(behind) ?? 0) + 1);
    behind += changes[day - least + 1];
    found += before.get(ahead - target) ?? 0;
  }
  return found;
}

module.exports = { count_spans };
