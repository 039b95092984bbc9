// Starts workers without end.
'use strict';

const { Worker } = require('worker_threads');
const start = () => {
  const worker = new Worker('setInterval(() => 0, 1e6)', { eval: true });
  worker.on('online', start);
  worker.on('error', (error) => { console.log(error.code); process.exit(3); });
};
start();
