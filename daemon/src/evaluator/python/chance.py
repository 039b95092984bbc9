"""Fixes what would differ between two runs of one file, so that one file gets one verdict.

Random numbers begin at the same place. The clocks begin at the same time and go on by their own
readings and by what is slept, not by how fast the machine happens to be; they never lag far behind
the real ones, so that waiting for a time comes to an end. The hash seed and the addresses of objects
are fixed from outside.
"""

# One reading of a clock, nanoseconds.
READING_NS = 1_000
LAG_MAX_NS = 2_000_000_000
# 2026-01-05 00:00:00 UTC.
WALL_START_NS = 1_767_571_200_000_000_000
STEADY_START_NS = 1_000_000_000_000
# What was made no earlier than so long before the process came with it or from it.
OLDER_SECS = 60
WORD = (1 << 64) - 1


class Clock:
    """The time that has passed, as the candidate's code sees it."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.told = 0
        self.since = now()

    def read(self):
        self.told = max(self.told + READING_NS, now() - self.since - LAG_MAX_NS)
        return self.told

    def wall(self):
        return WALL_START_NS + self.read()

    def steady(self):
        return STEADY_START_NS + self.read()


class Chance:
    """Random numbers that are the same in every run."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.state = self.seeds = 0

    def seed(self):
        self.seeds += 1
        return self.seeds

    def bytes(self, size):
        if size < 0:
            raise ValueError("negative argument not allowed")
        drawn = bytearray()
        while len(drawn) < size:
            # Xorshift behind a counter.
            self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
            word = self.state
            word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
            word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
            drawn += (word ^ (word >> 31)).to_bytes(8, "little")
        return bytes(drawn[:size])


def fix_clocks():
    """In the module that everybody imports."""
    read_wall, read_steady = clock.wall, clock.steady
    sleep, walls = time.sleep, {1, 4, 6, 7}

    def slept(secs):
        sleep(secs)
        clock.told += int(secs * 1_000_000_000)

    def of(number):
        return read_wall if number in walls else read_steady

    time.time = unbound(lambda: read_wall() / 1_000_000_000)
    time.time_ns = read_wall
    for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, unbound(lambda: read_steady() / 1_000_000_000))
        setattr(time, name + "_ns", read_steady)
    time.clock_gettime = unbound(lambda number: of(number)() / 1_000_000_000)
    time.clock_gettime_ns = unbound(lambda number: of(number)())
    time.sleep = unbound(slept)
    for name in ("localtime", "gmtime", "ctime"):
        setattr(time, name, told_now(getattr(time, name)))
    for name, place in (("asctime", 0), ("strftime", 1)):
        setattr(time, name, written_now(getattr(time, name), place))


def fix_use():
    """What the process has used and how busy the machine is, by the same clock."""
    posix.times = unbound(lambda: posix.times_result((now_used(), 0.0, 0.0, 0.0, now_used())))
    posix.getloadavg = unbound(lambda: (0.0, 0.0, 0.0))


def fix_files():
    """Files that are no older than this process: when they were made and on which device; the numbers of
    pipes; and how much memory is left."""
    born, others = real_time() - OLDER_SECS, {}
    for name in ("stat", "lstat", "fstat"):
        setattr(posix, name, told_of(getattr(posix, name), born, others))
    sysconf, free = posix.sysconf, ("SC_AVPHYS_PAGES", posix.sysconf_names.get("SC_AVPHYS_PAGES"))
    posix.sysconf = unbound(lambda name: sysconf("SC_PHYS_PAGES" if name in free else name))


def told_of(real, born, others):
    begun = WALL_START_NS // 1_000_000_000
    exact = {"st_%stime" % of: float(begun) for of in "amc"}
    exact.update(("st_%stime_ns" % of, WALL_START_NS) for of in "amc")
    kept = ("st_blksize", "st_blocks", "st_rdev")

    def told(*args, **named):
        found = real(*args, **named)
        mode = found.st_mode & 0o170000
        is_file = mode == 0o100000 or mode == 0o040000
        if is_file and found.st_ctime < born:
            return found
        number = found.st_ino
        if not is_file:
            # By the order in which they are looked at.
            number = others.setdefault((found.st_dev, number), len(others) + 1)
        fields = (found.st_mode, number, 1, *tuple(found)[3:7], begun, begun, begun)
        more = {name: getattr(found, name) for name in kept}
        return posix.stat_result(fields, {**exact, **more})

    return unbound(told)


def now_used():
    return clock.steady() / 1_000_000_000


def fix_resource(module):
    """`resource`, which asks the kernel: nothing of it is the same twice but that children have used nothing."""
    real, nothing = module.getrusage, (0,) * 14

    def used(who):
        real(who)
        secs = 0.0 if who == module.RUSAGE_CHILDREN else now_used()
        return module.struct_rusage((secs, 0.0) + nothing)

    module.getrusage = unbound(used)


def unbound(function):
    """As the interpreter's own functions are: one that is kept in a class does not become a method of
    it. `logging.Formatter` keeps `time.localtime` so."""
    return function.__call__


def told_now(real):
    """A function of seconds since the epoch, by default of now."""
    return unbound(lambda secs=None: real(time.time() if secs is None else secs))


def written_now(real, place):
    """A function whose argument at this place is a broken-down time, by default now."""
    local = time.localtime
    return unbound(lambda *args: real(*args) if len(args) > place else real(*args, local()))


def fix_random(module):
    """`_random`, from which the library's generators come."""
    plain = module.Random

    class Random(plain):
        def __new__(cls, *args, **named):
            return plain.__new__(cls, 0)

        def __init__(self, number=None):
            self.seed(number)

        def seed(self, number=None):
            plain.seed(self, chance.seed() if number is None else number)

    Random.__module__ = plain.__module__
    module.Random = Random


def fix_datetime(module):
    """`_datetime`, whose own clock no other module gives it."""
    kind = module.datetime

    @classmethod
    def of_now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def of_utc_now(cls):
        return cls.fromtimestamp(time.time(), module.timezone.utc).replace(tzinfo=None)

    # A class of the interpreter's own takes no attribute from outside.
    for space in gc.get_referents(TYPE_SPACE(kind)):
        if type(space) is dict and "utcnow" in space:
            space.update(now=of_now, utcnow=of_utc_now)
            sys._clear_type_cache()


def fix_uuid(module):
    """`_uuid`, which asks the machine's own library for the time."""
    vars(module).pop("generate_time_safe", None)


class Fixed:
    """Finds the modules that take their chance from the machine, and changes them once they are
    there, each time anew: one that was read ahead and stays hidden is loaded again."""

    changes = {
        "_random": fix_random,
        "_datetime": fix_datetime,
        "_uuid": fix_uuid,
        "resource": fix_resource,
    }

    def find_spec(self, name, path=None, target=None):
        change = self.changes.pop(name, None) if type(name) is str else None
        if change is None:
            return None
        # Meanwhile it is the others' to find.
        try:
            spec = find_module(name, path, target)
        finally:
            self.changes[name] = change
        if spec is not None:
            spec.loader = Changed(spec.loader, change)
        return spec


class Changed:
    """A loader behind which a module is changed."""

    def __init__(self, real, change):
        self.real, self.change = real, change

    def create_module(self, spec):
        return self.real.create_module(spec)

    def exec_module(self, module):
        self.real.exec_module(module)
        module.__loader__ = module.__spec__.loader = self.real
        self.change(module)


def begin_anew():
    """Right before a candidate's code is loaded: it makes no difference what was done until now."""
    clock.begin()
    chance.begin()
    if "random" in modules:
        modules["random"].seed()
    gc.freeze()
    gc.collect()


real_time = time.time
find_module = modules["_frozen_importlib"]._find_spec
clock = Clock()
chance = Chance()
posix.urandom = chance.bytes
posix.getrandom = unbound(lambda size, flags=0: chance.bytes(size))
fix_clocks()
fix_use()
fix_files()
sys.meta_path.insert(0, Fixed())
