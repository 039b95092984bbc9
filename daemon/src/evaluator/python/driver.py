"""Calls a candidate's code inside the sandbox and says what it returned.

It knows no expected value and judges nothing. It speaks JSON on descriptor 3; the frames are
described in the daemon's `evaluator::frames`. Everything it needs later is taken before the
candidate's code is loaded, so that patching `json`, `print` or `time` there changes nothing here.
Only modules that are part of the interpreter itself are imported: start-up counts.
"""

import builtins
import gc
import sys
import time
import posix
import _codecs
import _io
import _json
import _thread
import _warnings

# No warning is about these lines, which nobody but us can change.
__name__ = "vosim-driver"
_warnings.filters.insert(0, ("ignore", None, Warning, __name__, 0))

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
TAIL_ROOM = 64 * 1024
BLOCK_BYTES = 64 * 1024
LINES_MAX = 200
CHANNEL = 60
SIZE_DIGITS = 10
OWN_NAME = "solution"
SPARE_BYTES = 2 << 20
INSTANCES_MAX = 64

PROBE_ROUNDS = 25
PROBE_CALLS = 500
PROBE_ENOUGH_NS = 400_000_000

now = time.perf_counter_ns
write, leave, own_number = posix.write, posix._exit, posix.getpid
count_threads = _thread._count
collects, collect_on, collect_off = gc.isenabled, gc.enable, gc.disable
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
EAGAIN = 11
NO_THREAD = "can't start new thread"
# By which names a process is begun.
FORKS = frozenset(("fork", "forkpty", "fork_exec", "_fork_exec", "posix_spawn", "posix_spawnp"))
# How this version of Python spells a `raise`: the last instruction but its argument.
RAISE = compile("raise x", "", "exec").co_code[-2]


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
        self.input = _io.BufferedReader(_io.FileIO(CHANNEL, closefd=False), 1 << 16)
        self.nonce = ""
        self.cases = 0

    def next(self):
        return self.scan(self.take(int(self.take(SIZE_DIGITS))).decode(), 0)[0]

    def take(self, size):
        """So many bytes. However they come in, the same memory is used for them, and nothing is
        collected meanwhile: where later objects lie depends on both."""
        collecting = collects()
        collect_off()
        data = self.input.read(size)
        if collecting:
            collect_on()
        if len(data) < size:
            leave(0)
        return data

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
    """What is printed during one case: the head is sent at once, of the rest the tail is kept.

    Only so many lines are sent one by one. After that the streams keep what is printed until a
    block is full, as they do anywhere else, so that printing costs a program what it costs there.
    """

    def __init__(self):
        self.start(0)

    def start(self, seq):
        self.seq = seq
        self.bytes = 0
        self.sent = 0
        self.pending = b""
        self.tail = bytearray()

    def take(self, data):
        room = HEAD_BYTES - self.bytes
        self.bytes += len(data)
        if room <= 0:
            self.tail += data
        else:
            self.send(self.pending + data[:room])
            if len(data) > room:
                self.tail += data[room:]
        if len(self.tail) > TAIL_ROOM:
            del self.tail[:-TAIL_BYTES]

    def send(self, data):
        text, used = decode_utf8(data, "backslashreplace", False)
        self.pending = data[used:]
        if text:
            frames.send('"seq":%d,"print":%s' % (self.seq, quote(text)))
        self.sent += 1
        if self.sent == LINES_MAX or self.bytes >= HEAD_BYTES:
            streams.hold_back()

    def end(self):
        """Flushes and describes what was not sent yet."""
        streams.flush()
        tail = bytes(self.tail[-TAIL_BYTES:])
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
        # Those that speak line by line, and those that hold back.
        self.prompt = [self.make(number, True) for number in (1, 2)]
        self.slow = [self.make(number, False) for number in (1, 2)]

    def make(self, number, lines):
        buffer = _io.BufferedWriter(Tap(number), 8192 if lines else BLOCK_BYTES)
        return _io.TextIOWrapper(
            buffer, encoding="utf-8", errors="backslashreplace", newline="\n", line_buffering=lines
        )

    def install(self):
        """Before every case: the one before may have closed or replaced them."""
        for number in (1, 2):
            if self.prompt[number - 1].closed:
                self.prompt[number - 1] = self.make(number, True)
            if self.slow[number - 1].closed:
                self.slow[number - 1] = self.make(number, False)
        sys.stdout, sys.stderr = self.prompt

    def hold_back(self):
        """From the next print on, where the candidate's code has not put a stream of its own."""
        if sys.stdout is self.prompt[0]:
            sys.stdout = self.slow[0]
        if sys.stderr is self.prompt[1]:
            sys.stderr = self.slow[1]

    def flush(self):
        for stream in (*self.prompt, *self.slow):
            try:
                stream.flush()
            except BaseException:
                pass


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
        lack = lacking(error)
        short = ',"short_of":%s' % lack if lack else ""
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
            quote(kind), quote(text), trace_of(error), status, short, line)
    except BaseException:
        return '"error":{"type":"Exception","message":"","trace":[]}'


def lacking(error):
    """What was not to be had, by what the interpreter itself has raised; none where code says so."""
    is_fork = type(error) is BlockingIOError and error.errno == EAGAIN
    is_thread = type(error) is RuntimeError and error.args == (NO_THREAD,)
    if not (isinstance(error, MemoryError) or is_fork or is_thread):
        return None
    code, at = origin(error)
    if code is not None and 0 <= at < len(code.co_code) and code.co_code[at] == RAISE:
        return None
    if isinstance(error, MemoryError):
        return '"memory"'
    if is_thread:
        return '{"threads":%d}' % count_threads()
    # A pipe in which nothing waits says the same as a fork.
    return '"processes"' if code and not FORKS.isdisjoint(code.co_names) else None


def origin(error):
    """The code in which an exception arose, and the instruction."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (None, 0) if trace is None else (trace.tb_frame.f_code, trace.tb_lasti)


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

    # Set by what is read ahead: shows a module's imports that are there already; and those not shown.
    show, hidden = None, {}

    def expect(self, frame):
        """What is to be loaded, and under which name."""
        self.file = frame["file"]
        self.interface = frame["interface"]
        self.target = None
        # `Name` makes an instance, `Name@1` goes back to the first.
        fresh = self.interface["name"]
        self.instances = {"%s@%d" % (fresh, at): at for at in range(1, INSTANCES_MAX + 1)}
        self.instances[fresh] = 0
        name = self.file.rpartition(".")[0] or self.file
        # Whoever calls a file `random.py` still means the library's when it imports that.
        if name in modules or name in sys.stdlib_module_names:
            name = OWN_NAME
        self.module = Module(name)
        self.module.__file__ = self.file
        self.module.__builtins__ = builtins

    def load(self, frame):
        self.expect(frame)
        code = self.compile(frame["code"].encode("latin-1"))
        if self.show:
            self.show(code, self.module.__name__)
        self.enter(code)

    def enter(self, code):
        # Data classes and pickle look their module up.
        modules[self.module.__name__] = self.module
        begin_anew()
        exec(code, self.module.__dict__)

    def compile(self, source):
        try:
            return compile(source, self.file, "exec", 0, True)
        except ValueError as error:
            # Before 3.12 a file with a zero byte is none of a syntax error.
            if isinstance(error, UnicodeError) or isinstance(error, SyntaxError):
                raise
            raise SyntaxError(str(error)) from None

    def check(self):
        """What is wrong with what it defines; empty when nothing is."""
        space = vars(self.module)
        name = self.interface["name"]
        target = space.get(name)
        is_class = "methods" in self.interface
        if target is None or (not isinstance(target, type) if is_class else not callable(target)):
            is_there = "" if target is None else ',"is":%s' % quote(name_of(type(target)))
            return '"load":"missing","found":[%s]%s' % (names(self.defined(space, is_class)), is_there)
        self.target = target
        problems = shape.of_class(target) if is_class else shape.of_function(name, target)
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


def problem(need, found, others=()):
    found = "null" if found is None else quote(clean(found, 200))
    return '{"need":%s,"found":%s,"others":[%s]}' % (quote(need), found, names(others))


def names(found):
    return ",".join(quote(clean(name, 100)) for name in list(found)[:NAMES_MAX])


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
    # Of one width however long it took: where later objects lie depends on what is made here.
    answer = '"returns":[%s],"micros":%12d%s' % (",".join(returned), spent // 1000, error)
    finish(frame["seq"], answer)


def perform(ops, returned):
    """Fills `returned` call by call, each answer encoded before a later call can change it."""
    target = program.target
    encode, append = encoder.encode, returned.append
    if "methods" not in program.interface:
        for _, args in ops:
            append(encode(target(*args)))
        return
    instances, subject, made = program.instances, None, []
    for name, args in ops:
        if name in instances:
            back = instances[name]
            if not back:
                made.append(target(*args))
            subject = made[back - 1]
            append("null")
            continue
        value = getattr(subject, name)(*args)
        append("null" if value is None else encode(value))


def probe(frame):
    """Time of one call at growing sizes: a new key is written and a known one is read in turn.

    The sizes take turns, so that whatever slows the machine down meets all of them."""
    wanted = frame["probe"]
    nanos, error = [], ""
    streams.install()
    try:
        probed = [Probed(size, wanted["write"], wanted["read"]) for size in wanted["sizes"]]
        for _ in range(PROBE_ROUNDS):
            for one in probed:
                one.round()
        nanos = ["%d" % one.nanos() for one in probed]
    except BaseException as raised:
        spare.clear()
        error = "," + describe(raised)
    finish(frame["seq"], '"nanos":[%s]%s' % (",".join(nanos), error))


class Probed:
    """One size that is measured: a filled instance, and the least time that a round has taken."""

    def __init__(self, size, write_name, read_name):
        subject = program.target(size)
        self.put, self.get = getattr(subject, write_name), getattr(subject, read_name)
        self.back, self.next, self.state = max(size // 2, 1), size, 1
        self.best, self.total = None, 0
        for key in range(size):
            self.put(key, key)

    def round(self):
        if self.total > PROBE_ENOUGH_NS:
            return
        # Known keys at places that follow no order, chosen before the clock runs.
        known, state = [], self.state
        for turn in range(PROBE_CALLS):
            state = (1103515245 * state + 12345) & 0x7FFFFFFF
            known.append(self.next + turn - (state >> 8) % self.back)
        self.state = state
        put, get, key = self.put, self.get, self.next
        start = now()
        for old in known:
            put(key, key)
            get(old)
            key += 1
        spent = now() - start
        self.next = key
        self.total += spent
        self.best = spent if self.best is None else min(self.best, spent)

    def nanos(self):
        return max(self.best // (2 * PROBE_CALLS), 1)


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
