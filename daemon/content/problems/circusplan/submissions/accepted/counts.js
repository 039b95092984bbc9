"use strict";

/** Each step counts what it still lacks; those that lack nothing stand in a heap. */
function plan(steps, needs) {
  const lacks = new Map(steps.map((step) => [step, new Set()]));
  const frees = new Map(steps.map((step) => [step, []]));
  for (const [step, other] of needs) {
    if (!lacks.has(step) || !lacks.has(other) || lacks.get(step).has(other)) continue;
    lacks.get(step).add(other);
    frees.get(other).push(step);
  }
  const heap = [];
  for (const step of steps) if (!lacks.get(step).size) push(heap, step);
  const order = [];
  while (heap.length) {
    const step = pop(heap);
    order.push(step);
    for (const later of frees.get(step)) {
      lacks.get(later).delete(step);
      if (!lacks.get(later).size) push(heap, later);
    }
  }
  return order;
}

/** Lets a name rise as long as the one above it comes later in the alphabet. */
function push(heap, name) {
  let at = heap.length;
  while (at && name < heap[(at - 1) >> 1]) {
    heap[at] = heap[(at - 1) >> 1];
    at = (at - 1) >> 1;
  }
  heap[at] = name;
}

/** Takes the top, and lets the last name sink from there. */
function pop(heap) {
  const [top] = heap;
  const name = heap.pop();
  if (!heap.length) return top;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && heap[below + 1] < heap[below]) below += 1;
    if (name <= heap[below]) break;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = name;
  return top;
}

module.exports = { plan };
