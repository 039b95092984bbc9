'use strict';
// Runs tests whose text came from outside, with node:test, one process for each file, and says what
// came of each on descriptor 3. What the tests print says nothing: a process is believed by its word.

const fs = require('node:fs');
const path = require('node:path');

const RESULTS = 3;
const TEXT_MAX = 4000;
const { writeSync, readSync } = fs;
const { stringify, parse } = JSON;

/** The line that the run begins with. */
function opening(descriptor) {
  const chunks = [];
  const chunk = Buffer.alloc(65536);
  for (;;) {
    let count;
    try {
      count = readSync(descriptor, chunk);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      throw error;
    }
    if (count === 0) break;
    chunks.push(Buffer.from(chunk.subarray(0, count)));
    if (chunk[count - 1] === 10) break;
  }
  return parse(Buffer.concat(chunks).toString());
}

/** What writes an answer in one piece. */
function speaker(word) {
  return (answer) => {
    let line = Buffer.from(`${word} ${stringify(answer)}\n`);
    while (line.length > 0) {
      try {
        line = line.subarray(writeSync(RESULTS, line));
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  };
}

/** Follows the events of node:test, in the order in which they are reported. */
function follower(file, say) {
  const names = [];
  return (event) => {
    const { type, data } = event;
    if (type === 'test:start') {
      names[data.nesting] = data.name;
      return;
    }
    if (type !== 'test:pass' && type !== 'test:fail') return;
    const id = [file, ...names.slice(0, data.nesting), data.name].join(' > ');
    const error = data.details && data.details.error;
    const cause = (error && error.cause) || error;
    const isSuite = data.details && data.details.type === 'suite';
    if (isSuite && type === 'test:pass') return;
    // The failure of something inside is told there.
    if (error && error.failureType === 'subtestsFailed') return;
    if (type === 'test:pass') {
      const excused = data.skip !== undefined || data.todo !== undefined;
      say({ what: 'test', id, outcome: excused ? 'excused' : 'passed' });
      return;
    }
    const text = (value) => {
      try {
        return String(value);
      } catch {
        return '';
      }
    };
    const kind = text(cause && cause.name ? cause.name : 'Error');
    const message = text(cause && cause.message !== undefined ? cause.message : cause);
    say({
      what: 'test',
      id,
      outcome: 'failed',
      message: `${kind}: ${message}`.slice(0, TEXT_MAX),
      file,
      trace: text(cause && cause.stack ? cause.stack : '').slice(-TEXT_MAX),
    });
  };
}

/** In the process of one file, before it is loaded. */
function prepare(order) {
  const say = speaker(order.word);
  const follow = follower(order.test.path, say);
  let taken = false;
  // node:test loads this file once more by its name, as its reporter.
  module.exports = async function* report(source) {
    if (taken) return;
    taken = true;
    for await (const event of source) follow(event);
    say({ what: 'through', part: order.part });
    yield '';
  };
}

/** All files, one process each; none of the workspace's code runs in this one. */
function runAll(order) {
  const { spawnSync } = require('node:child_process');
  const say = speaker(order.word);
  process.chdir(order.workspace);
  let status = 0;
  order.tests.forEach((test, part) => {
    const whole = path.join(order.workspace, test.path);
    const isFixed = () => {
      try {
        return fs.readFileSync(whole, 'utf8') === test.text;
      } catch {
        return false;
      }
    };
    const rewritten = () => {
      const message = 'the tests were rewritten while they ran';
      say({ what: 'uncollected', id: test.path, message, file: test.path });
      status = 1;
    };
    if (!isFixed()) {
      rewritten();
      return;
    }
    const words = [
      ...process.execArgv,
      `--require=${__filename}`,
      `--test-reporter=${__filename}`,
      '--test-reporter-destination=stderr',
      whole,
    ];
    const input = `${JSON.stringify({ word: order.word, test: { path: test.path }, part })}\n`;
    const stdio = ['pipe', 'inherit', 'inherit', RESULTS];
    const ended = spawnSync(process.execPath, words, { input, stdio });
    if (ended.status !== 0) status = 1;
    if (!isFixed()) rewritten();
  });
  say({ what: 'done', status });
  return status;
}

if (process.execArgv.includes(`--require=${__filename}`)) {
  prepare(opening(0));
} else {
  process.exitCode = runAll(opening(RESULTS));
}
