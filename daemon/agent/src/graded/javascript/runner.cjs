'use strict';
// Runs tests whose text came from outside, with node:test, one process for each file, and says what
// came of each on descriptor 3. What the tests print says nothing: a process is believed by its word.
// Changes of a program are tried in the same way, some at a time; nothing is written to its file.

const fs = require('node:fs');
const path = require('node:path');

const RESULTS = 3;
const TEXT_MAX = 4000;
const LEFT_OUT = '\n[...]\n';
// Changes that are tried side by side.
const ABREAST = 2;
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

/** A text without its middle where it is too long, by whole lines: both ends of a trace tell most. */
function shortened(text) {
  if (text.length <= TEXT_MAX) return text;
  const half = Math.floor((TEXT_MAX - LEFT_OUT.length) / 2);
  const head = text.slice(0, half);
  const tail = text.slice(-half);
  const whole = head.lastIndexOf('\n');
  return (whole < 0 ? head : head.slice(0, whole)) + LEFT_OUT + tail.slice(tail.indexOf('\n') + 1);
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
      trace: shortened(text(cause && cause.stack ? cause.stack : '')),
    });
  };
}

/** Has one file of the workspace loaded with another text. */
function change({ whole, text }) {
  const library = require('node:module');
  for (const ending of ['.js', '.cjs']) {
    const usual = library._extensions[ending] || library._extensions['.js'];
    library._extensions[ending] = (module, file) => {
      if (file === whole) module._compile(text, file);
      else usual(module, file);
    };
  }
  const isModule = !whole.endsWith('.cjs') && /^\s*(?:import|export)\b/mu.test(text);
  if (!isModule) return;
  const url = require('node:url').pathToFileURL(whole).href;
  const isChanged = (asked, given) => asked.split('?')[0] === url && given.format === 'module';
  if (library.registerHooks !== undefined) {
    const load = (asked, context, next) => {
      const given = next(asked, context);
      return isChanged(asked, given) ? { ...given, source: text } : given;
    };
    library.registerHooks({ load });
    return;
  }
  // Nothing can be tried, so that nothing can be said: not that it passes, and not that nobody notices.
  if (library.register === undefined) process.exit(1);
  // The older loader asks in a thread of its own, which takes time to start.
  const hook = `let data;
    export function initialize(given) { data = given; }
    export async function load(asked, context, next) {
      const given = await next(asked, context);
      const isChanged = asked.split('?')[0] === data.url && given.format === 'module';
      return isChanged ? { ...given, source: data.text } : given;
    }`;
  library.register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { url, text } });
}

/** In the process of one file, before it is loaded. */
function prepare(order) {
  const said = speaker(order.word);
  const { number, each } = order;
  const say = (answer) => {
    if (number === undefined) said(answer);
    else if (each && answer.what === 'test') {
      said({ what: 'tried', number, id: answer.id, passed: answer.outcome === 'passed' });
    }
  };
  if (order.change) change(order.change);
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

/** What Node is told to run a file of tests in a process of its own. */
function words(whole) {
  return [
    ...process.execArgv,
    `--require=${__filename}`,
    `--test-reporter=${__filename}`,
    '--test-reporter-destination=stderr',
    whole,
  ];
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
    const input = `${JSON.stringify({ word: order.word, test: { path: test.path }, part })}\n`;
    const stdio = ['pipe', 'inherit', 'inherit', RESULTS];
    const ended = spawnSync(process.execPath, words(whole), { input, stdio });
    if (ended.status !== 0) status = 1;
    if (!isFixed()) rewritten();
  });
  say({ what: 'done', status });
  return status;
}

/** How one file of tests ends for a change, within so much time. */
function tryFile(order, number, test, millis) {
  const { spawn } = require('node:child_process');
  const { path: changed, text } = order.changes[number];
  const told = {
    word: order.word,
    test: { path: test.path },
    change: { whole: path.join(order.workspace, changed), text },
    number,
    each: order.each_test,
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words(path.join(order.workspace, test.path)), {
      stdio: ['pipe', 'ignore', 'ignore', RESULTS],
      timeout: millis,
      killSignal: 'SIGKILL',
    });
    // One that ends before it has read what it is told says so by its status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${stringify(told)}\n`);
    child.on('error', () => resolve({ failed: true, slow: false }));
    child.on('close', (status, signal) => {
      resolve({ failed: status !== 0, slow: signal === 'SIGKILL' });
    });
  });
}

/** Each change in processes of its own: do the tests notice it? */
async function tryChanges(order) {
  const say = speaker(order.word);
  process.chdir(order.workspace);
  let next = 0;
  const turn = async () => {
    while (next < order.changes.length) {
      const number = next++;
      const until = performance.now() + order.change_secs * 1000;
      let [noticed, slow] = [false, false];
      for (const test of order.tests) {
        // Which other tests it fails matters only where each of them is asked for.
        if (noticed && (slow || !order.each_test)) break;
        const left = Math.max(1, Math.ceil(until - performance.now()));
        const ended = await tryFile(order, number, test, left);
        noticed ||= ended.failed;
        slow ||= ended.slow;
      }
      say({ what: 'change', number, noticed, slow });
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, turn));
  say({ what: 'done', status: 0 });
}

const { isMainThread } = require('node:worker_threads');
if (process.execArgv.includes(`--require=${__filename}`)) {
  // Threads are told to require this file too; they have nothing to say.
  if (isMainThread) prepare(opening(0));
} else {
  const order = opening(RESULTS);
  if (order.changes.length > 0) tryChanges(order);
  else process.exitCode = runAll(order);
}
