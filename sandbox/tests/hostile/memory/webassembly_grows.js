// Fills the memory of a WebAssembly module.
'use strict';

const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
for (;;) {
  memory.grow(128);
  new Uint8Array(memory.buffer).fill(1);
}
