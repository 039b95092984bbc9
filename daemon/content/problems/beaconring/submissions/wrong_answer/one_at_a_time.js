"use strict";

/** Lets only one of those that wait send its signal. */
function signals(heights, reach) {
  const size = heights.length;
  const steps = heights.map((height) => (height > 0 ? 0 : -1));
  const waiting = [];
  for (let turn = 0; turn < 2 * size; turn += 1) {
    const height = heights[turn % size];
    if (waiting.length > 0 && heights[waiting.at(-1)] < height) {
      const place = waiting.pop();
      if (turn - place <= reach) steps[place] = turn - place;
    }
    if (height > 0 && turn < size) waiting.push(turn);
  }
  return steps;
}

module.exports = { signals };
