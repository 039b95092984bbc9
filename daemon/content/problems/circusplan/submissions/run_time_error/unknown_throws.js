"use strict";

/** An unknown name throws. */
function plan(steps, needs) {
  const before = new Map(steps.map((step) => [step, new Set()]));
  for (const [step, other] of needs) {
    before.get(step).add(other);
    before.get(other).add;
  }
  const order = [];
  const done = new Set();
  const left = [...steps].sort();
  for (;;) {
    const at = left.findIndex((step) => [...before.get(step)].every((other) => done.has(other)));
    if (at < 0) return order;
    const [free] = left.splice(at, 1);
    done.add(free);
    order.push(free);
  }
}

module.exports = { plan };
