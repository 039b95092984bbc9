"use strict";

/** Does all steps that are free together before it looks again. */
function plan(steps, needs) {
  const before = new Map(steps.map((step) => [step, new Set()]));
  for (const [step, other] of needs) {
    if (before.has(step) && before.has(other)) before.get(step).add(other);
  }
  const order = [];
  const done = new Set();
  const left = [...steps].sort();
  for (;;) {
    const wave = left.filter((step) => [...before.get(step)].every((other) => done.has(other)));
    if (!wave.length) return order;
    for (const free of wave) {
      left.splice(left.indexOf(free), 1);
      done.add(free);
      order.push(free);
    }
  }
}

module.exports = { plan };
