// Waits for a value that nobody stores.
'use strict';

Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
