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
  const made = [];
  let subject;
  for (let at = 0; at < ops.length; at++) {
    const name = ops[at][0];
    const args = ops[at][1];
    let text;
    if (!isClass) {
      text = encoder.encode(apply(target, undefined, args));
    } else if (instances[name] !== undefined) {
      const back = instances[name];
      if (back === 0) made[made.length] = construct(target, args);
      subject = made[(back === 0 ? made.length : back) - 1];
      text = "null";
    } else {
      const method = subject[name];
      if (typeof method !== "function") throw new TypeError(`${name} is not a function`);
      text = encoder.encode(apply(method, subject, args));
    }
    answer.returned += at > 0 ? `,${text}` : text;
  }
}

/** Time of one call at growing sizes: a new key is written and a known one is read in turn. */
function probe(frame) {
  const { sizes, write, read } = frame.probe;
  let nanos = "";
  let error = "";
  try {
    // The first round finds the code uncompiled and would make the smallest size look slow.
    measure(sizes[0], write, read);
    for (let at = 0; at < sizes.length; at++) {
      nanos += (at > 0 ? "," : "") + measure(sizes[at], write, read);
    }
  } catch (raised) {
    error = `,${describe(raised)}`;
  }
  finish(frame.seq, `"nanos":[${nanos}]${error}`);
}

function measure(size, write, read) {
  const subject = construct(program.target, [size]);
  for (let key = 0; key < size; key++) subject[write](key, key);
  const back = size < 2 ? 1 : (size - (size % 2)) / 2;
  let best = -1n;
  let total = 0n;
  let key = size;
  for (let round = 0; round < PROBE_ROUNDS && total <= PROBE_ENOUGH_NS; round++) {
    const start = now();
    for (let turn = 0; turn < PROBE_CALLS; turn++) {
      subject[write](key, key);
      subject[read](key - back);
      key++;
    }
    const spent = now() - start;
    total += spent;
    if (best < 0n || spent < best) best = spent;
  }
  const nanos = best / 2_000n;
  return nanos < 1n ? "1" : digits(nanos);
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

function main() {
  for (const [name, number] of [["stdout", 1], ["stderr", 2]]) {
    const tap = new Tap(number);
    defineProperty(process, name, { configurable: true, enumerable: true, get: () => tap });
  }
  const start = frames.next();
  frames.nonce = `${start.nonce}`;
  // Not to be found by accident under this name.
  process.mainModule = undefined;
  process.argv = [process.execPath, `/work/${start.file}`];
  let open = true;
  program.load(start, (body) => {
    if (!open) return;
    open = false;
    finish(0, body);
    serve();
  });
}

main();
