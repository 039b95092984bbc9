"use strict";

/** Takes, again and again, the first of the sorted steps that has all it needs. */
function plan(steps, needs) {
  const before = new Map(steps.map((step) => [step, new Set()]));
  for (const [step, other] of needs) {
    if (before.has(step) && before.has(other)) before.get(step).add(other);
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
