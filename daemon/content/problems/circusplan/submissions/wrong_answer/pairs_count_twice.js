"use strict";

/** Each copy of a pair has to be met anew. */
function plan(steps, needs) {
  const before = new Map(steps.map((step) => [step, []]));
  for (const [step, other] of needs) {
    if (before.has(step) && before.has(other)) before.get(step).push(other);
  }
  const order = [];
  const done = new Set();
  const left = [...steps].sort();
  for (;;) {
    const at = left.findIndex((step) => {
      const met = new Set(before.get(step).filter((other) => done.has(other)));
      return before.get(step).length <= met.size;
    });
    if (at < 0) return order;
    const [free] = left.splice(at, 1);
    done.add(free);
    order.push(free);
  }
}

module.exports = { plan };
