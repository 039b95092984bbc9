// Fixes what would differ between two runs of one file, so that one file gets one verdict. Random
// numbers begin at the same place (`Math.random` by a flag of V8). The clocks begin at the same time
// and go on by their own readings, not by how fast the machine happens to be; they never lag far
// behind the real ones, so that waiting for a time comes to an end.

const READING_NS = 1_000n;
const LAG_MAX_NS = 2_000_000_000n;
// 2026-01-05 00:00:00 UTC.
const WALL_START_MS = 1_767_571_200_000;
// What was made no earlier than so long before the process came with it or from it.
const OLDER_MS = 60_000;
const WORD = (1n << 64n) - 1n;

/** The time that has passed, as the candidate's code sees it, and random bytes. */
class Chance {
  constructor() {
    this.begin();
  }

  begin() {
    this.told = 0n;
    this.since = now();
    this.state = 0n;
  }

  /** Nanoseconds since the beginning. */
  read() {
    const least = now() - this.since - LAG_MAX_NS;
    const next = this.told + READING_NS;
    this.told = next > least ? next : least;
    return this.told;
  }

  /** Milliseconds since the beginning, with their fraction. */
  millis() {
    return toNumber(this.read()) / 1e6;
  }

  wall() {
    return WALL_START_MS + floor(this.millis());
  }

  byte() {
    // Xorshift behind a counter.
    this.state = (this.state + 0x9e3779b97f4a7c15n) & WORD;
    let word = this.state;
    word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD;
    return toNumber((word ^ (word >> 27n)) & 255n);
  }

  /** Fills bytes of any view; gives the view back. */
  fill(view) {
    const bytes = new Bytes(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at++) bytes[at] = this.byte();
    return view;
  }
}

const chance = new Chance();

/** The clock of a realm, of which every context has its own. */
function fixDate(realm) {
  const Real = realm.Date;
  const read = () => chance.wall();
  // With `Date` in its place a call without `new` is a text, and subclasses stay what they are.
  function FixedDate(...args) {
    if (new.target === undefined) return apply(dateText, new Real(read()), []);
    return construct(Real, args.length === 0 ? [read()] : args, new.target);
  }
  defineProperty(FixedDate, "name", { value: "Date", configurable: true });
  defineProperty(FixedDate, "length", { value: 7, configurable: true });
  defineProperty(FixedDate, "prototype", { value: Real.prototype, writable: false });
  for (const name of ["parse", "UTC"]) {
    defineProperty(FixedDate, name, getOwnPropertyDescriptor(Real, name));
  }
  hidden(FixedDate, "now", read);
  hidden(Real.prototype, "constructor", FixedDate);
  hidden(realm, "Date", FixedDate);
  if (typeof realm.Intl === "object") fixFormats(realm.Intl.DateTimeFormat.prototype, read);
}

function fixClocks() {
  fixDate(globalThis);
  hidden(performance, "now", () => chance.millis());
  hidden(performance, "timeOrigin", WALL_START_MS);
  const hrtime = (earlier) => {
    const [secs, nanos] = earlier === undefined ? [0, 0] : earlier;
    const passed = chance.read() - toBigInt(secs) * 1_000_000_000n - toBigInt(nanos);
    return [toNumber(passed / 1_000_000_000n), toNumber(passed % 1_000_000_000n)];
  };
  hidden(hrtime, "bigint", () => chance.read());
  hidden(process, "hrtime", hrtime);
  hidden(process, "uptime", () => chance.millis() / 1e3);
  fixTimeline();
  fixUse();
  fixContexts();
  fixFiles();
}

/** What the library measures by itself. */
function fixTimeline() {
  const mark = free(performance.mark);
  const measure = free(performance.measure);
  const millis = () => chance.millis();
  hidden(performance, "mark", (...args) => mark(performance, ...dated(args, 1, "startTime", millis)));
  hidden(performance, "measure", (name, from, to) => {
    const isPlace = typeof from !== "object" || from === null;
    if (!isPlace && to !== undefined) return measure(performance, name, from, to);
    const asked = isPlace ? { start: from ?? undefined, end: to } : { ...from };
    const isOpen = asked.end === undefined && (asked.start === undefined || asked.duration === undefined);
    if (isOpen) asked.end = millis();
    return measure(performance, name, asked);
  });
  const idle = () => ({ idle: 0, active: 0, utilization: 0 });
  hidden(performance, "eventLoopUtilization", idle);
  const timing = { name: "node", entryType: "node", startTime: 0, nodeStart: 0, v8Start: 0, environment: 0 };
  const started = { ...timing, bootstrapComplete: 0, loopStart: -1, loopExit: -1, idleTime: 0 };
  const node = () => ({ ...started, duration: millis() });
  defineProperty(performance, "nodeTiming", { get: node, configurable: true });
  hidden(performance, "toJSON", () => ({
    nodeTiming: node(),
    timeOrigin: WALL_START_MS,
    eventLoopUtilization: idle(),
  }));
  const told = new WeakMap();
  const { get: real } = getOwnPropertyDescriptor(Event.prototype, "timeStamp");
  const get = function () {
    apply(real, this, []);
    if (!seen(told, this)) keep(told, this, millis());
    return kept(told, this);
  };
  defineProperty(Event.prototype, "timeStamp", { get, enumerable: true, configurable: true });
  // An event of the library's own has the time of the first look.
  madeBy("Event", () => Event, (args) => args, (event) => keep(told, event, millis()));
  madeBy("File", () => load("buffer").File, (args) => dated(args, 2, "lastModified", () => chance.wall()));
  madeBy("PerformanceMark", () => load("perf_hooks").PerformanceMark, (args) =>
    dated(args, 1, "startTime", millis));
}

/** Arguments whose options, at this place, have a time, where somebody else's are no mistake. */
function dated(args, place, name, time) {
  const options = args[place];
  const isRight = options === undefined || (typeof options === "object" && options !== null);
  if (args.length < place || !isRight) return args;
  const all = [...args];
  all[place] = { ...options, [name]: options?.[name] ?? time() };
  return all;
}

/** Kinds of the library's whose instances bear the time of their making. */
const madeKinds = { __proto__: null };

/** Changes how a kind is made, by whoever names it; what it is stays. It is looked for when it is needed. */
function madeBy(name, find, change, made = () => {}) {
  let kind;
  const get = () => {
    if (kind !== undefined) return kind;
    const Real = find();
    if (Real === undefined) return undefined;
    kind = new Proxy(Real, {
      construct(target, args, wanted) {
        const object = construct(target, change(args), wanted === kind ? target : wanted);
        made(object);
        return object;
      },
    });
    hidden(Real.prototype, "constructor", kind);
    return kind;
  };
  madeKinds[name] = get;
  if (!hasOwn(globalThis, name)) return;
  if (name === "Event") {
    hidden(globalThis, name, get());
    return;
  }
  const set = (value) => hidden(globalThis, name, value);
  defineProperty(globalThis, name, { get, set, enumerable: false, configurable: true });
}

/** Contexts that the candidate's code makes. */
function fixContexts() {
  const { createContext, isContext, runInContext } = vm;
  const run = free(vm.Script.prototype.runInContext);
  const fresh = (object, options) => {
    const isThere = (name) => typeof object === "object" && object !== null && name in object;
    const isOld = typeof object === "object" && object !== null && isContext(object);
    // Who brings a clock along has brought one.
    const brings = isOld || isThere("Date") || isThere("Intl");
    const context = createContext(object, options);
    if (!brings) fixDate(runInContext("globalThis", context));
    return context;
  };
  const ofContext = (options) => {
    if (typeof options !== "object" || options === null) return undefined;
    const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options;
    return {
      name: contextName,
      origin: contextOrigin,
      codeGeneration: contextCodeGeneration,
      microtaskMode,
    };
  };
  hidden(vm, "createContext", fresh);
  hidden(vm, "runInNewContext", (code, object, options) => {
    const ofScript = typeof options === "string" ? { filename: options } : options;
    const script = new vm.Script(code, ofScript);
    return run(script, fresh(object, ofContext(options)), typeof options === "string" ? undefined : options);
  });
  hidden(vm.Script.prototype, "runInNewContext", function (object, options) {
    return run(this, fresh(object, ofContext(options)), options);
  });
}

/** Files that are no older than this process: when they were made and on which device. */
function fixFiles() {
  const born = wallNow() - OLDER_MS;
  const others = { __proto__: null };
  const times = ["atime", "mtime", "ctime", "birthtime"];
  const fixed = (found) => {
    if (found === undefined) return found;
    const isBig = typeof found.ino === "bigint";
    const of = isBig ? toBigInt : (number) => number;
    const isFile = found.isFile() || found.isDirectory();
    if (isFile && found.ctimeMs < of(born)) return found;
    if (!isFile) {
      // By the order in which they are looked at.
      const place = `${found.dev}:${found.ino}`;
      others[place] ??= keys(others).length + 1;
      found.ino = of(others[place]);
    }
    found.dev = of(1);
    for (const name of times) {
      found[`${name}Ms`] = of(WALL_START_MS);
      if (isBig) found[`${name}Ns`] = of(WALL_START_MS) * 1_000_000n;
      found[name] = new Date(WALL_START_MS);
    }
    return found;
  };
  for (const name of ["stat", "lstat", "fstat"]) {
    const [atOnce, later] = [fs[`${name}Sync`], fs[name]];
    hidden(fs, `${name}Sync`, (place, options) => fixed(atOnce(place, options)));
    hidden(fs, name, (place, options, told) => {
      const isShort = typeof options === "function";
      const then = isShort ? options : told;
      if (typeof then !== "function") return later(place, options, told);
      return later(place, isShort ? {} : options, (error, found) => then(error, error ? found : fixed(found)));
    });
  }
  const { promises } = fs;
  for (const name of ["stat", "lstat"]) {
    const real = promises[name];
    hidden(promises, name, async (place, options) => fixed(await real(place, options)));
  }
}

/** What the process has used, by the same clock: nothing else of it is the same twice. */
function fixUse() {
  const micros = () => floor(chance.millis() * 1e3);
  hidden(process, "cpuUsage", (earlier) => {
    const { user } = earlier === undefined ? { user: 0 } : earlier;
    return { user: micros() - user, system: 0 };
  });
  hidden(process, "resourceUsage", () => ({
    userCPUTime: micros(),
    systemCPUTime: 0,
    maxRSS: 0,
    sharedMemorySize: 0,
    unsharedDataSize: 0,
    unsharedStackSize: 0,
    minorPageFault: 0,
    majorPageFault: 0,
    swappedOut: 0,
    fsRead: 0,
    fsWrite: 0,
    ipcSent: 0,
    ipcReceived: 0,
    signalsCount: 0,
    voluntaryContextSwitches: 0,
    involuntaryContextSwitches: 0,
  }));
  const held = { rss: 1 << 26, heapTotal: 1 << 24, heapUsed: 1 << 23, external: 0, arrayBuffers: 0 };
  const memory = () => ({ ...held });
  hidden(memory, "rss", () => held.rss);
  hidden(process, "memoryUsage", memory);
  hidden(process, "availableMemory", process.constrainedMemory);
  // Nothing in it is the same twice.
  hidden(process, "report", undefined);
}

/** What is formatted without a date is the present moment. */
function fixFormats(formats, read) {
  const { get } = getOwnPropertyDescriptor(formats, "format");
  const { formatToParts } = formats;
  defineProperty(formats, "format", {
    get() {
      const format = apply(get, this, []);
      return (date) => format(date === undefined ? read() : date);
    },
    enumerable: false,
    configurable: true,
  });
  hidden(formats, "formatToParts", function (date) {
    return apply(formatToParts, this, [date === undefined ? read() : date]);
  });
}

/** Puts something in another's place; an `import` by name finds what can be enumerated. */
function hidden(object, name, value) {
  const old = getOwnPropertyDescriptor(object, name);
  const enumerable = old !== undefined && old.enumerable;
  defineProperty(object, name, { value, writable: true, enumerable, configurable: true });
}

let fixed, machine, hooks;

/** One of the library's modules. */
function provided(name) {
  const module = load(name);
  switch (name) {
    case "crypto":
    case "node:crypto":
      if (fixed === undefined) fixed = fixCrypto(module);
      return fixed;
    case "os":
    case "node:os":
      if (machine === undefined) machine = fixMachine(module);
      return machine;
    case "buffer":
    case "node:buffer":
      hidden(module, "File", madeKinds.File());
      return module;
    case "perf_hooks":
    case "node:perf_hooks":
      if (hooks === undefined) hooks = fixHooks(module);
      return hooks;
    default:
      return module;
  }
}

/** The library's other measures, once somebody asks for them. */
function fixHooks(module) {
  hidden(module, "PerformanceMark", madeKinds.PerformanceMark());
  const last = new WeakMap();
  const deltas = getPrototypeOf(module.createHistogram());
  const record = free(deltas.record);
  hidden(deltas, "recordDelta", function () {
    const read = chance.read();
    if (seen(last, this)) record(this, toNumber(read - kept(last, this)));
    keep(last, this, read);
  });
  return module;
}

/** How long the machine is up and how busy it is. */
function fixMachine(os) {
  hidden(os, "uptime", () => floor(chance.millis() / 1e3));
  hidden(os, "loadavg", () => [0, 0, 0]);
  hidden(os, "freemem", os.totalmem);
  return os;
}

/** The library's other sources of random bytes, once somebody asks for them. */
function fixCrypto(crypto) {
  const { webcrypto } = crypto;
  const ofWeb = getPrototypeOf(webcrypto);
  const { randomBytes, randomFillSync, randomInt, randomUUID } = crypto;
  const getRandomValues = free(ofWeb.getRandomValues);
  // The real ones are asked first, and say what is wrong with their arguments.
  const bytes = (size) => chance.fill(randomBytes(size));
  const uuid = (options) => {
    randomUUID(options);
    const made = bytes(16);
    made[6] = (made[6] & 15) | 64;
    made[8] = (made[8] & 63) | 128;
    return made.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/u, "$1-$2-$3-$4-");
  };
  const answer = (result, told) => {
    if (typeof told !== "function") return result;
    nextTick(told, null, result);
    return undefined;
  };
  const drawn = (size, told) => {
    if (told !== undefined && typeof told !== "function") return randomBytes(size, told);
    return answer(bytes(size), told);
  };
  for (const name of ["randomBytes", "pseudoRandomBytes", "prng", "rng"]) {
    if (name in crypto) hidden(crypto, name, drawn);
  }
  hidden(crypto, "randomFillSync", (view, offset = 0, size = undefined) => {
    randomFillSync(view, offset, size);
    const isBuffer = view.buffer === undefined;
    const all = isBuffer ? new Bytes(view) : new Bytes(view.buffer, view.byteOffset, view.byteLength);
    const unit = view.BYTES_PER_ELEMENT ?? 1;
    const from = offset * unit;
    chance.fill(all.subarray(from, size === undefined ? all.length : from + size * unit));
    return view;
  });
  const { randomFill } = crypto;
  hidden(crypto, "randomFill", (view, ...rest) => {
    const told = rest.pop();
    if (typeof told !== "function") return randomFill(view, ...rest, told);
    return answer(crypto.randomFillSync(view, ...rest), told);
  });
  hidden(crypto, "randomUUID", uuid);
  hidden(crypto, "randomInt", (low, high, told) => {
    const isOne = high === undefined || typeof high === "function";
    const [least, most, then] = isOne ? [0, low, high] : [low, high, told];
    if (then !== undefined && typeof then !== "function") return randomInt(low, high, told);
    randomInt(least, most);
    return answer(least + (bytes(6).readUIntBE(0, 6) % (most - least)), then);
  });
  const filled = (view) => chance.fill(getRandomValues(webcrypto, view));
  hidden(crypto, "getRandomValues", filled);
  hidden(ofWeb, "getRandomValues", filled);
  hidden(ofWeb, "randomUUID", uuid);
  return crypto;
}

fixClocks();
if (hasOwn(globalThis, "crypto")) {
  const get = () => provided("crypto").webcrypto;
  defineProperty(globalThis, "crypto", { get, configurable: true, enumerable: true });
}
