"""Tries many candidates in one process: each in a child of its own, which runs every test within its time.

A child holds no end of the channel. What it has to say goes through a pipe as text, which the daemon reads;
so whatever a candidate writes there is said of that candidate alone.
"""

import _signal

# Most bytes of one child.
SAID_MAX = 4 << 20
# Most parts that are taken of what a generator gives.
DRAINED_MAX = 10_000
# A test may wait longer than it may compute.
WALL_TIMES, WALL_MORE = 8, 1
UNLOADED = 3
SLOW, BROKEN = -1, -2


class Deaf(_io._RawIOBase):
    """A stream that goes nowhere."""

    def writable(self):
        return True

    def write(self, data):
        return len(data)


class Drained(Encoder):
    """Writes what an iterator gives as a list."""

    def encode(self, value):
        if hasattr(type(value), "__next__"):
            value = [part for part, _ in zip(value, range(DRAINED_MAX))]
        return Encoder.encode(self, value)


def within(seconds):
    """The child ends without another word when this time is over."""
    _signal.setitimer(_signal.ITIMER_PROF, seconds)
    _signal.setitimer(_signal.ITIMER_REAL, seconds and seconds * WALL_TIMES + WALL_MORE)


class Bench:
    def __init__(self, start):
        self.runs = start["runs"]
        self.abreast = start["abreast"]
        self.known, self.fresh = {}, []
        program.expect(start)
        if start["drain"]:
            globals()["encoder"] = Drained()
        _warnings.filters[:] = [("ignore", None, Warning, None, 0)]
        self.silent = _io.TextIOWrapper(_io.BufferedWriter(Deaf()), encoding="utf-8", errors="replace")
        gc.freeze()

    def round(self, frame):
        """Children run side by side, and are heard in the order of the candidates."""
        said, running = [], []
        for text in frame["code"]:
            if len(running) == self.abreast:
                said.append(self.hear(running.pop(0)))
            running.append(self.begin(text, frame["micros"] / 1_000_000))
        said.extend([self.hear(child) for child in running])
        texts, self.fresh = self.fresh, []
        finish(frame["seq"], '"texts":[%s],"said":[%s]' % (",".join(texts), ",".join(said)))

    def begin(self, text, seconds):
        try:
            code = program.compile(text.encode("latin-1"))
        except BaseException:
            return None
        mouth, ear = posix.pipe()
        number = posix.fork()
        if number == 0:
            try:
                self.child(code, ear, seconds)
            finally:
                leave(UNLOADED)
        posix.close(ear)
        return number, mouth

    def child(self, code, ear, seconds):
        posix.close(CHANNEL)
        sys.stdout = sys.stderr = self.silent
        within(seconds)
        program.enter(code)
        program.target = vars(program.module)[program.interface["name"]]
        for ops in self.runs:
            returned, end = [], ""
            within(seconds)
            try:
                perform(ops, returned)
            except BaseException:
                end = ',"raised":true'
            within(0)
            data = ('{"returns":[%s]%s}\n' % (",".join(returned), end)).encode()
            while data:
                data = data[write(ear, data):]
        leave(0)

    def hear(self, child):
        if child is None:
            return "null"
        number, mouth = child
        data, part = b"", b"-"
        while part and len(data) < SAID_MAX:
            part = posix.read(mouth, 1 << 16)
            data += part
        posix.close(mouth)
        if part:
            posix.kill(number, _signal.SIGKILL)
        status = posix.waitpid(number, 0)[1]
        if status == UNLOADED << 8:
            return "null"
        lines = data.split(b"\n")[:-1][:len(self.runs)]
        told = [self.number(line) for line in lines]
        if len(told) < len(self.runs):
            told.append(SLOW if status & 127 in (_signal.SIGPROF, _signal.SIGALRM) else BROKEN)
        return "[%s]" % ",".join(["%d" % one for one in told])

    def number(self, line):
        """What many candidates say is sent once."""
        if line not in self.known:
            self.known[line] = len(self.known)
            self.fresh.append(quote(line.decode("utf-8", "backslashreplace")))
        return self.known[line]


def bench():
    modules["__main__"] = Module("__main__")
    start = frames.next()
    frames.nonce = start["nonce"]
    one = Bench(start)
    while True:
        frame = frames.next()
        prints.start(frame["seq"])
        one.round(frame)
