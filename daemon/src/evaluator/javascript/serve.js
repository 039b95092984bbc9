// Answers the daemon's frames, one after the other, until the channel ends. Between them no turn
// of the event loop comes: timers never fire, and a promise is just a value.

function runCase(frame) {
  const answer = { returned: "" };
  let error = "";
  let spent;
  frames.cases++;
  const start = now();
  try {
    perform(frame.ops, answer);
    spent = now() - start;
  } catch (raised) {
    spent = now() - start;
    error = `,${describe(raised)}`;
  }
  finish(frame.seq, `"returns":[${answer.returned}],"micros":${spent / 1000n}${error}`);
}

/** Adds answer after answer, each encoded before a later call can change it. */
function perform(ops, answer) {
  const { target, isClass, instances } = program;
  // Nothing that a prototype could hold reaches in here.
  const made = { __proto__: null };
  let count = 0;
  let subject;
  for (let at = 0; at < ops.length; at++) {
    const name = ops[at][0];
    const args = ops[at][1];
    let text;
    if (!isClass) {
      text = encoder.encode(apply(target, undefined, args));
    } else if (instances[name] !== undefined) {
      const back = instances[name];
      if (back === 0) made[++count] = construct(target, args);
      subject = made[back === 0 ? count : back];
      text = "null";
    } else {
      const method = subject[name];
      if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
      text = encoder.encode(apply(method, subject, args));
    }
    answer.returned += at > 0 ? `,${text}` : text;
  }
}

/**
 * Time of one call at growing sizes: a new key is written and a known one is read in turn. The sizes
 * take turns, so that whatever slows the machine down meets all of them.
 */
function probe(frame) {
  const { sizes, write, read } = frame.probe;
  let nanos = "";
  let error = "";
  try {
    const probed = [];
    for (let at = 0; at < sizes.length; at++) probed[at] = new Probed(sizes[at], write, read);
    for (let round = 0; round < PROBE_ROUNDS; round++) {
      for (let at = 0; at < probed.length; at++) probed[at].round();
    }
    for (let at = 0; at < probed.length; at++) nanos += (at > 0 ? "," : "") + probed[at].nanos();
  } catch (raised) {
    error = `,${describe(raised)}`;
  }
  finish(frame.seq, `"nanos":[${nanos}]${error}`);
}

/** One size that is measured: a filled instance, and the least time that a round has taken. */
class Probed {
  constructor(size, write, read) {
    this.subject = construct(program.target, [size]);
    this.write = write;
    this.read = read;
    this.back = size < 2 ? 1 : (size - (size % 2)) / 2;
    this.next = size;
    this.state = 1;
    this.best = -1n;
    this.total = 0n;
    for (let key = 0; key < size; key++) this.subject[write](key, key);
  }

  round() {
    if (this.total > PROBE_ENOUGH_NS) return;
    const { subject, write, read } = this;
    // Known keys at places that follow no order, chosen before the clock runs.
    const known = [];
    for (let turn = 0; turn < PROBE_CALLS; turn++) {
      // The low 16 bits by themselves keep every product exact.
      this.state = (this.state * 25173 + 13849) % 65536;
      known[turn] = this.next + turn - (this.state % this.back);
    }
    let key = this.next;
    const start = now();
    for (let turn = 0; turn < PROBE_CALLS; turn++) {
      subject[write](key, key);
      subject[read](known[turn]);
      key++;
    }
    const spent = now() - start;
    this.next = key;
    this.total += spent;
    // The first rounds find the code uncompiled; the least time leaves them out.
    if (this.best < 0n || spent < this.best) this.best = spent;
  }

  nanos() {
    const nanos = this.best / (2n * toBigInt(PROBE_CALLS));
    return nanos < 1n ? "1" : digits(nanos);
  }
}

function finish(seq, body) {
  frames.send(`"seq":${seq},${body},${prints.end()}`);
}

/** Answers until the channel ends. */
function serve() {
  for (;;) {
    const frame = frames.next();
    prints.start(frame.seq);
    if (hasOwn(frame, "probe")) probe(frame);
    else if (hasOwn(frame, "end")) finish(frame.seq, `"end":${frames.cases}`);
    else runCase(frame);
  }
}

const scratch = new Scratch();
const frames = new Frames();
const prints = new Prints();
const encoder = new Encoder();
const program = new Program();

/** What the candidate's code finds around it. */
function furnish(file) {
  for (const [name, number] of [["stdout", 1], ["stderr", 2]]) {
    const tap = new Tap(number);
    defineProperty(process, name, { configurable: true, enumerable: true, get: () => tap });
  }
  // Not to be found by accident under this name.
  process.mainModule = undefined;
  process.argv = [process.execPath, `/work/${file}`];
}

function main() {
  const start = frames.next();
  frames.nonce = `${start.nonce}`;
  furnish(start.file);
  let open = true;
  program.load(start, (body) => {
    if (!open) return;
    open = false;
    finish(0, body);
    serve();
  });
}
