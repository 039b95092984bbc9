// Fills memory that is not on its heap.
'use strict';

const kept = [];
for (;;) kept.push(Buffer.alloc(8 << 20, 1));
