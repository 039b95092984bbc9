"""Calls a candidate's code inside the sandbox and says what it returned.

It knows no expected value and judges nothing. It speaks lines of JSON on descriptor 3; the
frames are described in the daemon's `evaluator::frames`. Everything it needs later is taken
before the candidate's code is loaded, so that patching `json`, `print` or `time` there changes
nothing here. Only modules that are part of the interpreter itself are imported: start-up counts.
"""

import builtins
import sys
import time
import posix
import _codecs
import _io
import _json
import _thread

# Functions made from here on look their builtins up in a copy that nobody else holds.
__builtins__ = dict(vars(builtins))

DEPTH_MAX = 24
NODES_MAX = 100_000
TEXT_MAX = 1 << 20
REPR_MAX = 2_000
DIGITS_MAX = 4_000
NAMES_MAX = 12
TRACE_MAX = 12
HEAD_BYTES = 16 * 1024
TAIL_BYTES = 4 * 1024
CHANNEL = 60
SPARE_BYTES = 2 << 20

PROBE_ROUNDS = 7
PROBE_CALLS = 1_000
PROBE_ENOUGH_NS = 400_000_000

now = time.perf_counter_ns
read, write, leave, own_number = posix.read, posix.write, posix._exit, posix.getpid
quote = _json.encode_basestring_ascii
decode_utf8 = _codecs.utf_8_decode
get_limit, set_limit = sys.getrecursionlimit, sys.setrecursionlimit
modules = sys.modules
Function = type(lambda: None)
# The real ones, past anything a metaclass may define.
TYPE_NAME = type.__dict__["__name__"].__get__
TYPE_BASES = type.__dict__["__mro__"].__get__
TYPE_SPACE = type.__dict__["__dict__"].__get__
Module = type(sys)


class Frames:
    """The channel: frames in, frames out."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = float
    memo = {}

    def __init__(self):
        # Out of the way of code that closes or reuses small numbers.
        posix.dup2(3, CHANNEL, inheritable=False)
        posix.close(3)
        self.scan = _json.make_scanner(self)
        self.lock = _thread.RLock()
        self.process = own_number()
        self.rest = b""
        self.nonce = ""
        self.cases = 0

    def next(self):
        parts = [self.rest]
        while b"\n" not in parts[-1]:
            chunk = read(CHANNEL, 1 << 16)
            if not chunk:
                leave(0)
            parts.append(chunk)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return self.scan(line.decode(), 0)[0]

    def send(self, body):
        # A child that the candidate's code forked and let return has nothing to say here.
        if own_number() != self.process:
            leave(0)
        data = ('{"nonce":"%s",%s}\n' % (self.nonce, body)).encode()
        # Threads of the candidate's may print while an answer is on its way.
        with self.lock:
            while data:
                data = data[write(CHANNEL, data):]


class Prints:
    """What is printed during one case: the head is sent at once, of the rest the tail is kept."""

    def __init__(self):
        self.start(0)

    def start(self, seq):
        self.seq = seq
        self.bytes = 0
        self.pending = b""
        self.tail = b""

    def take(self, data):
        room = HEAD_BYTES - self.bytes
        self.bytes += len(data)
        if room > 0:
            text, used = decode_utf8(self.pending + data[:room], "backslashreplace", False)
            self.pending = (self.pending + data[:room])[used:]
            if text:
                frames.send('"seq":%d,"print":%s' % (self.seq, quote(text)))
        if len(data) > max(room, 0):
            self.tail = (self.tail + data[max(room, 0):])[-TAIL_BYTES:]

    def end(self):
        """Flushes and describes what was not sent yet."""
        for stream in (streams.out, streams.err):
            try:
                stream.flush()
            except BaseException:
                pass
        tail = self.tail
        if self.bytes <= HEAD_BYTES + TAIL_BYTES:
            tail = self.pending + tail
        else:
            while tail and tail[0] & 0xC0 == 0x80:
                tail = tail[1:]
        text = decode_utf8(tail, "backslashreplace", True)[0]
        return '"prints":{"bytes":%d,"tail":%s}' % (self.bytes, quote(text))


class Tap(_io._RawIOBase):
    """A stream of the candidate's whose bytes end in the current case's prints."""

    def __init__(self, number):
        self.number = number

    def writable(self):
        return True

    def fileno(self):
        return self.number

    def write(self, data):
        data = bytes(data)
        prints.take(data)
        return len(data)


class Streams:
    """`sys.stdout` and `sys.stderr` as the candidate's code sees them."""

    def __init__(self):
        self.out = self.make(1)
        self.err = self.make(2)

    def make(self, number):
        buffer = _io.BufferedWriter(Tap(number), 8192)
        return _io.TextIOWrapper(
            buffer, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=True
        )

    def install(self):
        """Before every case: the one before may have closed or replaced them."""
        if self.out.closed:
            self.out = self.make(1)
        if self.err.closed:
            self.err = self.make(2)
        sys.stdout, sys.stderr = self.out, self.err


class Encoder:
    """Writes values with their types. Bounded in depth, parts and text; never raises."""

    def encode(self, value):
        self.nodes = NODES_MAX
        self.text = TEXT_MAX
        try:
            return self.value(value, 0)
        except MemoryError:
            raise
        except BaseException:
            self.text = TEXT_MAX
            return self.other(value)

    def value(self, value, depth):
        kind = type(value)
        if value is None:
            return "null"
        if kind is bool:
            return "true" if value else "false"
        if kind is int:
            return self.int(value)
        if kind is str:
            return self.str(value)
        if kind is float:
            return '{"float":%s}' % quote(repr(value))
        tag = tag_of(kind)
        if tag is None or depth >= DEPTH_MAX or self.nodes < len(value):
            return self.other(value)
        self.nodes -= len(value)
        if kind is dict:
            pairs = [
                "[%s,%s]" % (self.value(key, depth + 1), self.value(item, depth + 1))
                for key, item in value.items()
            ]
            return '{"dict":[%s]}' % ",".join(pairs)
        parts = [self.value(item, depth + 1) for item in value]
        if kind is set or kind is frozenset:
            parts.sort()
        parts = "[%s]" % ",".join(parts)
        return parts if kind is list else '{"%s":%s}' % (tag, parts)

    def int(self, value):
        if -(1 << 63) <= value < 1 << 63:
            return str(value)
        if value.bit_length() > DIGITS_MAX * 3:
            return '{"type":"int","repr":"<int of %d bits>"}' % value.bit_length()
        digits = str(value)
        self.take(len(digits))
        return '{"int":"%s"}' % digits

    def take(self, length):
        """Room for a text; where there is none, the whole value is too large to be sent."""
        self.text -= length
        if self.text < 0:
            raise OverflowError

    def str(self, value):
        self.take(len(value))
        if value.isascii() or "\ud800" > max(value) or self.encodes(value):
            return quote(value)
        return self.other(value)

    def encodes(self, value):
        try:
            value.encode()
            return True
        except UnicodeError:
            return False

    def other(self, value):
        kind = type(value)
        try:
            shown = value[:REPR_MAX] if kind is str or kind is bytes else value
            text = str(repr(shown)) if tag_of(kind) is None else "<%s, too large>" % kind.__name__
        except BaseException:
            text = "<no repr>"
        name, text = name_of(kind), clean(text, REPR_MAX)
        self.take(len(name) + len(text))
        return '{"type":%s,"repr":%s}' % (quote(name), quote(text))


def tag_of(kind):
    """What stands for one of these types alone: a metaclass may call its class equal to any."""
    if kind is list:
        return "list"
    if kind is tuple:
        return "tuple"
    if kind is set:
        return "set"
    if kind is frozenset:
        return "frozenset"
    return "dict" if kind is dict else None


def clean(text, longest):
    """A text that can be sent, whatever a candidate's `__str__` made of it."""
    text = str.__str__(text) if type(text) is str else "?"
    text = text if len(text) <= longest else text[:longest] + "…"
    return text.encode("utf-8", "backslashreplace").decode()


def name_of(kind):
    return clean(TYPE_NAME(kind), 200)


def describe(error):
    """An exception: its type, its text, the candidate's own lines it went through."""
    try:
        kind = name_of(type(error))
        status = ""
        if isinstance(error, SystemExit):
            code = error.code
            code = 0 if code is None else code if type(code) is int else 1
            status = ',"status":%d' % (code & 0xFF)
        memory = ',"memory":true' if isinstance(error, MemoryError) else ""
        try:
            text = clean(str(error), REPR_MAX)
        except BaseException:
            text = "<no text>"
        line = ""
        if isinstance(error, SyntaxError):
            text = clean(str(error.msg), REPR_MAX)
            own = error.filename == program.file and type(error.lineno) is int
            line = ',"syntax":%s' % (error.lineno if own else "null")
        return '"error":{"type":%s,"message":%s,"trace":[%s]%s%s%s}' % (
            quote(kind), quote(text), trace_of(error), status, memory, line)
    except BaseException:
        return '"error":{"type":"Exception","message":"","trace":[]}'


def trace_of(error):
    steps = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == program.file:
            steps.append((trace.tb_lineno, code.co_name))
            if len(steps) > TRACE_MAX:
                del steps[TRACE_MAX // 2]
        trace = trace.tb_next
    return ",".join(
        "[%d,%s]" % (line if type(line) is int else 0, quote(clean(name, 200)))
        for line, name in steps
    )


class Program:
    """The candidate's module."""

    # Set by what is read ahead: shows a module's imports that are there already.
    show = None

    def load(self, frame):
        self.file = frame["file"]
        self.interface = frame["interface"]
        self.target = None
        name = self.file.rpartition(".")[0] or self.file
        self.module = Module(name)
        self.module.__file__ = self.file
        self.module.__builtins__ = builtins
        code = compile(frame["code"].encode("latin-1"), self.file, "exec", 0, True)
        if self.show:
            self.show(code, name)
        # Data classes and pickle look their module up.
        modules.setdefault(name, self.module)
        exec(code, self.module.__dict__)

    def check(self):
        """What is wrong with what it defines; empty when nothing is."""
        space = vars(self.module)
        name = self.interface["name"]
        target = space.get(name)
        is_class = "methods" in self.interface
        if target is None or (not isinstance(target, type) if is_class else not callable(target)):
            return '"load":"missing","found":[%s]' % names(self.defined(space, is_class))
        self.target = target
        problems = []
        if is_class:
            wanted = self.interface["constructor"]
            found = constructor_of(target)
            if found is not None and not accepts(found, wanted, 1):
                problems.append(problem(name, shown(found, 1, name)))
            for method in self.interface["methods"]:
                problems.extend(self.method(target, method))
        elif type(target) is Function and not accepts(target, self.interface["params"], 0):
            problems.append(problem(name, shown(target, 0, name)))
        if problems:
            return '"load":"signature","problems":[%s]' % ",".join(problems)
        return '"load":"ok"'

    def defined(self, space, is_class):
        own = type if is_class else Function
        return [
            name for name, value in list(space.items())
            if type(name) is str and isinstance(value, own)
            and getattr(value, "__module__", None) == self.module.__name__
        ]

    def method(self, target, wanted):
        name, params = wanted["name"], wanted["params"]
        raw, there = look_up(target, name)
        if not there:
            fold = name.replace("_", "").lower()
            public = [n for n in dir(target) if type(n) is str and not n.startswith("__")]
            near = [n for n in public if n.replace("_", "").lower() == fold]
            return [problem(name, near[0] if near else None, public)]
        bound = 1
        if type(raw) is staticmethod:
            raw, bound = raw.__func__, 0
        elif type(raw) is classmethod:
            raw = raw.__func__
        if type(raw) is Function:
            return [] if accepts(raw, params, bound) else [problem(name, shown(raw, bound, name))]
        return [] if callable(raw) else [problem(name, name + " = " + name_of(type(raw)))]


def problem(need, found, others=()):
    found = "null" if found is None else quote(clean(found, 200))
    return '{"need":%s,"found":%s,"others":[%s]}' % (quote(need), found, names(others))


def names(found):
    return ",".join(quote(clean(name, 100)) for name in list(found)[:NAMES_MAX])


def look_up(target, name):
    for base in TYPE_BASES(target):
        space = TYPE_SPACE(base)
        if name in space:
            return space[name], True
    return None, False


def constructor_of(target):
    """The function that takes the constructor's arguments; None when it cannot be told."""
    if type(target) is not type or look_up(target, "__new__")[0] is not object.__dict__["__new__"]:
        return None
    init = look_up(target, "__init__")[0]
    if init is object.__dict__["__init__"]:
        return lambda self: None
    return init if type(init) is Function else None


def accepts(function, wanted, bound):
    """Whether it can be called with that many arguments by position."""
    code = function.__code__
    most = code.co_argcount
    least = most - len(function.__defaults__ or ())
    keywords = function.__kwdefaults__ or ()
    needed = [n for n in code.co_varnames[most:most + code.co_kwonlyargcount] if n not in keywords]
    count = wanted + bound
    return least <= count and (count <= most or code.co_flags & 4) and not needed


def shown(function, bound, name):
    code = function.__code__
    params = list(code.co_varnames[:code.co_argcount])[bound:]
    if code.co_flags & 4:
        params.append("*" + code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    return "%s(%s)" % (name, ", ".join(params))


def case(frame):
    returned, error = [], ""
    frames.cases += 1
    streams.install()
    start = now()
    try:
        perform(frame["ops"], returned)
    except BaseException as raised:
        spent = now() - start
        spare.clear()
        error = "," + describe(raised)
    else:
        spent = now() - start
    finish(frame["seq"], '"returns":[%s],"micros":%d%s' % (",".join(returned), spent // 1000, error))


def perform(ops, returned):
    """Fills `returned` call by call, each answer encoded before a later call can change it."""
    target = program.target
    encode, append = encoder.encode, returned.append
    if "methods" not in program.interface:
        for _, args in ops:
            append(encode(target(*args)))
        return
    fresh, subject = program.interface["name"], None
    for name, args in ops:
        if name == fresh:
            subject = target(*args)
            append("null")
            continue
        value = getattr(subject, name)(*args)
        append("null" if value is None else encode(value))


def probe(frame):
    """Time of one call at growing sizes: a new key is written and a known one is read in turn."""
    wanted = frame["probe"]
    nanos, error = [], ""
    streams.install()
    try:
        for size in wanted["sizes"]:
            nanos.append("%d" % measure(size, wanted["write"], wanted["read"]))
    except BaseException as raised:
        spare.clear()
        error = "," + describe(raised)
    finish(frame["seq"], '"nanos":[%s]%s' % (",".join(nanos), error))


def measure(size, write_name, read_name):
    subject = program.target(size)
    put, get = getattr(subject, write_name), getattr(subject, read_name)
    for key in range(size):
        put(key, key)
    best, total, key = None, 0, size
    back = max(size // 2, 1)
    for _ in range(PROBE_ROUNDS):
        start = now()
        for _ in range(PROBE_CALLS):
            put(key, key)
            get(key - back)
            key += 1
        spent = now() - start
        total += spent
        best = spent if best is None else min(best, spent)
        if total > PROBE_ENOUGH_NS:
            break
    return max(best // (2 * PROBE_CALLS), 1)


def end(frame):
    finish(frame["seq"], '"end":%d' % frames.cases)


def finish(seq, body):
    # Low limits of theirs are for their own calls.
    if get_limit() < 500:
        set_limit(1000)
    frames.send('"seq":%d,%s,%s' % (seq, body, prints.end()))
    if not spare:
        spare.append(bytes(SPARE_BYTES))


def load(frame):
    frames.nonce = frame["nonce"]
    streams.install()
    try:
        program.load(frame)
        # Looking at what was loaded may run code of theirs too.
        body = program.check()
    except BaseException as raised:
        spare.clear()
        body = '"load":"raised",' + describe(raised)
    finish(0, body)


# Given back when memory runs out, so that there is room to say so.
spare = [bytes(SPARE_BYTES)]
frames = Frames()
prints = Prints()
streams = Streams()
encoder = Encoder()
program = Program()


def main():
    # Not to be found by accident under this name.
    modules["__main__"] = Module("__main__")
    start = frames.next()
    while "ahead" in start:
        exec(compile(start["ahead"], "ahead", "exec"), globals())
        start = frames.next()
    load(start)
    while True:
        frame = frames.next()
        prints.start(frame["seq"])
        (probe if "probe" in frame else end if "end" in frame else case)(frame)


main()
