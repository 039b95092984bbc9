// Tries many candidates in one process: each in a thread of its own, which runs every test within its
// time. What a thread has to say comes as text, which the daemon reads; a candidate could say more than is
// true of itself alone, and what passes here is judged afterwards.

const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");

// Most characters of one candidate.
const SAID_MAX = 4 << 20;
// Most parts that are taken of what a generator gives.
const DRAINED_MAX = 10_000;
// A test may wait longer than it may compute.
const WALL_TIMES = 8;
const WALL_MORE_MS = 1_000;
// So that the heaps of threads side by side fit into the memory of the process.
const HEAP_MB = 128;
// A thread that cannot be ended by then ends the process.
const ENDS_MS = 2_000;

const SLOW = -1;
const BROKEN = -2;

// What a thread says before its first test.
const BEGUN = "begun";
const LOADED = "loaded";

/** In a thread: loads its candidate, runs test after test, and says what came of each. */
function candidate() {
  const { start, source } = workerData;
  const say = parentPort.postMessage.bind(parentPort);
  furnish(start.file);
  prints.take = () => undefined;
  if (start.drain) {
    const plainly = encoder.encode;
    encoder.encode = (value) => apply(plainly, encoder, [drained(value)]);
  }
  let open = true;
  say(BEGUN);
  program.load({ file: start.file, interface: start.interface, code: source }, (body) => {
    if (!open) return;
    open = false;
    if (body === '"load":"ok"') {
      say(LOADED);
      for (let at = 0; at < start.runs.length; at++) say(told(start.runs[at]));
    }
    leave(0);
  });
}

/** What came of one test. */
function told(ops) {
  const answer = { returned: "" };
  let end = "";
  try {
    perform(ops, answer);
  } catch {
    end = ',"raised":true';
  }
  return `{"returns":[${answer.returned}]${end}}`;
}

/** What an iterator gives, as a list. */
function drained(value) {
  if (typeof value !== "object" || value === null || typeof value.next !== "function") return value;
  const parts = [];
  for (let at = 0; at < DRAINED_MAX; at++) {
    const part = value.next();
    if (part.done) break;
    defineProperty(parts, at, { value: part.value, configurable: true, enumerable: true });
  }
  return parts;
}

/** The time of one test: what is computed meanwhile in its share of the process, and what it waits. */
class Clock {
  constructor(millis, abreast, over) {
    this.millis = millis;
    this.abreast = abreast;
    this.over = over;
    this.timer = undefined;
  }

  begin() {
    this.since = now();
    this.before = computed();
    this.wait(this.millis);
  }

  wait(millis) {
    this.end();
    this.timer = setTimeout(() => this.look(), millis);
  }

  look() {
    const waited = toNumber(now() - this.since) / 1e6;
    const left = this.millis - (computed() - this.before) / this.abreast;
    if (left <= 0 || waited >= this.millis * WALL_TIMES + WALL_MORE_MS) this.over();
    else this.wait(left < 1 ? 1 : left);
  }

  end() {
    clearTimeout(this.timer);
  }
}

/** Milliseconds that all threads of the process have computed. */
function computed() {
  const { user, system } = cpuUsage();
  return (user + system) / 1e3;
}

class Bench {
  constructor(start) {
    this.start = start;
    this.known = new Map();
    this.fresh = [];
  }

  /** Threads run side by side, and are told in the order of the candidates. */
  async round(frame) {
    const heard = [];
    let next = 0;
    const turn = async () => {
      while (next < frame.code.length) {
        const at = next++;
        heard[at] = await this.hear(frame.code[at], frame.micros / 1e3);
      }
    };
    await Promise.all(Array.from({ length: this.start.abreast }, turn));
    const said = heard.map((one) => this.numbers(one));
    const texts = this.fresh;
    this.fresh = [];
    finish(frame.seq, `"texts":[${texts.join(",")}],"said":[${said.join(",")}]`);
  }

  /** What a candidate says of its tests, and why it says no more; null where it cannot be loaded. */
  hear(source, millis) {
    const { start } = this;
    const worker = new Worker(__filename, {
      workerData: { start, source },
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const lines = [];
    let isLoaded = false;
    let isSlow = false;
    let length = 0;
    let last;
    const stop = () => {
      worker.terminate();
      last = setTimeout(() => leave(1), ENDS_MS);
    };
    const clock = new Clock(millis, start.abreast, () => {
      isSlow = true;
      stop();
    });
    worker.on("message", (line) => {
      if (isSlow) return;
      clock.begin();
      if (line === LOADED) isLoaded = true;
      if (line === LOADED || line === BEGUN) return;
      lines.push(line);
      length += line.length;
      if (length > SAID_MAX) stop();
    });
    // Where there is no memory left, for example: its end says enough.
    worker.on("error", () => undefined);
    return new Promise((resolve) => {
      worker.on("exit", () => {
        clock.end();
        clearTimeout(last);
        if (lines.length < start.runs.length) lines.push(isSlow ? SLOW : BROKEN);
        resolve(isLoaded || isSlow ? lines.slice(0, start.runs.length) : null);
      });
    });
  }

  /** What many candidates say is sent once. */
  numbers(lines) {
    if (lines === null) return "null";
    const number = (line) => {
      if (typeof line === "number") return line;
      if (!this.known.has(line)) {
        this.known.set(line, this.known.size);
        this.fresh.push(quote(line));
      }
      return this.known.get(line);
    };
    return `[${lines.map(number).join(",")}]`;
  }
}

/** Answers until the channel ends. */
async function bench() {
  const start = frames.next();
  frames.nonce = `${start.nonce}`;
  const one = new Bench(start);
  for (;;) {
    const frame = frames.next();
    prints.start(frame.seq);
    await one.round(frame);
  }
}

if (isMainThread) bench();
else candidate();
