// Reserves the addresses of a WebAssembly module and uses one page.
'use strict';

const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
new Uint8Array(memory.buffer)[0] = 7;
console.log('page', new Uint8Array(memory.buffer)[0]);
