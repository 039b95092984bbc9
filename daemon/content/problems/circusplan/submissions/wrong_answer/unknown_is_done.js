"use strict";

/** Names that are no steps are done, too. */
function plan(steps, needs) {
  const before = new Map(steps.map((step) => [step, new Set()]));
  for (const [step, other] of needs) {
    for (const name of [step, other]) {
      if (!before.has(name)) before.set(name, new Set());
    }
    before.get(step).add(other);
  }
  const order = [];
  const done = new Set();
  const left = [...before.keys()].sort();
  for (;;) {
    const at = left.findIndex((step) => [...before.get(step)].every((other) => done.has(other)));
    if (at < 0) return order;
    const [free] = left.splice(at, 1);
    done.add(free);
    order.push(free);
  }
}

module.exports = { plan };
