// Writes without end.
'use strict';

const fs = require('fs');
const block = Buffer.alloc(65536, 'x');
for (;;) fs.writeSync(1, block);
