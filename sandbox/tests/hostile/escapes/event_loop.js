// Does honest work: promises, timers, a worker and a file.
'use strict';

const { Worker } = require('worker_threads');
const worker = new Worker("require('worker_threads').parentPort.postMessage(6 * 7)", { eval: true });
worker.once('message', async (answer) => {
  await new Promise((done) => setTimeout(done, 10));
  const text = await require('fs/promises').readFile('event_loop.js', 'utf8');
  console.log(answer, text.startsWith('//'));
});
