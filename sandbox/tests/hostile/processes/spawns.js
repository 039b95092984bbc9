// Starts another program and asks what became of it.
'use strict';

const { spawnSync } = require('child_process');
const { error, stdout, status } = spawnSync(process.execPath, ['-p', '6 * 7']);
console.log(error ? `spawn: ${error.code}` : `${stdout}`.trim() + ` and ${status}`);
