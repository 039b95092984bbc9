"""Read by a driver that waits in the pool: modules that answers often import are loaded ahead.

They stay out of sight. When the candidate's code is there, what it names in its imports is shown in
`sys.modules`, with all that this brings along, as if it had been imported in that moment; the rest
stays hidden, so that code sees the same whether its driver has waited or not. The channel is looked
at between two modules: a submission never waits for those that are left.

What lies in memory stays different. A program that may come to see where objects lie is not loaded
here: the answer asks for a driver that has not waited.
"""

WANTED = (
    "collections", "typing", "heapq", "functools", "itertools", "math", "dataclasses", "bisect",
    "enum", "abc", "collections.abc", "operator", "string", "random", "re", "copy", "os",
    "contextlib", "types", "time", "datetime", "json", "threading", "queue",
)

# What tells where an object lies, or goes by it; and what reaches these by a name that is made.
REVEALING = frozenset((
    "id", "hash", "object", "set", "frozenset", "WeakSet", "get_ident", "ident", "__hash__",
    "repr", "ascii", "str", "format", "format_map", "Formatter", "Template", "StringIO", "BytesIO",
    "__repr__", "__str__", "__format__", "pprint", "pformat", "saferepr", "reprlib", "traceback",
    "get_objects", "get_referrers", "get_referents", "getrefcount", "tracemalloc", "marshal",
    "ctypes", "eval", "exec", "compile", "globals", "vars", "__dict__", "__builtins__", "getattr",
    "attrgetter", "methodcaller",
))
REVEALING_CODES = (
    "BUILD_SET", "SET_ADD", "SET_UPDATE",
    "FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE",
)
Code = type(main.__code__)


class Ahead:
    """Hidden modules, and which of them each brings along."""

    def __init__(self):
        self.hidden = {}
        self.brings = {}
        self.cut = {}
        self.loading = []
        self.real = builtins.__import__

    def load_all(self):
        known = set(modules)
        builtins.__import__ = self.watched
        try:
            for name in ("opcode",) + WANTED:
                try:
                    self.watched(name)
                except Exception:
                    # Left out of this installation: then it is met when it is asked for.
                    pass
                if called():
                    break
        finally:
            builtins.__import__ = self.real
        codes = modules["opcode"].opmap if "opcode" in modules else {}
        self.codes = codes.get("IMPORT_NAME"), codes.get("EXTENDED_ARG")
        self.revealing = {codes[name] for name in REVEALING_CODES if name in codes}
        for name in list(modules):
            if name not in known:
                self.hidden[name] = modules.pop(name)
        for name, module in self.hidden.items():
            package, _, last = name.rpartition(".")
            space = vars(self.hidden.get(package) or modules.get(package) or program)
            # A package has only those parts as attributes that it or somebody else has loaded.
            if name not in self.brings.get(package, ()) and space.get(last) is module:
                self.cut[name] = space, last
                del space[last]

    def watched(self, name, space=None, local=None, wanted=(), level=0):
        """`__import__`, noting for each module what was there once it was."""
        full = name
        if level:
            package = space["__package__"].split(".")
            full = ".".join(package[:len(package) - level + 1] + ([name] if name else []))
        # Parents first, so that what they bring along is theirs.
        parts = full.split(".")
        for end in range(1, len(parts)):
            self.noting(".".join(parts[:end]), self.real, ".".join(parts[:end]))
        return self.noting(full, self.real, name, space, local, wanted, level)

    def noting(self, full, work, *rest):
        if self.loading:
            self.brings.setdefault(self.loading[-1], set()).add(full)
        before = set(modules)
        self.loading.append(full)
        try:
            return work(*rest)
        finally:
            self.loading.pop()
            self.brings.setdefault(full, set()).update(set(modules) - before)

    def with_all(self, name):
        """A module and what it brings along, as far as it is hidden."""
        found, rest = set(), [name]
        while rest:
            name = rest.pop()
            if name in self.hidden and name not in found:
                found.add(name)
                rest.extend(self.brings.get(name, ()))
                rest.append(name.rpartition(".")[0])
        return found

    def show(self, code, own):
        """Shows what a candidate's code imports. A module of its own name is theirs."""
        if not self.revealing or reveals(code, self.revealing):
            finish(0, '"load":"anew"')
            leave(0)
        for name in imports_of(code, *self.codes):
            found = self.with_all(name)
            if own in found:
                continue
            for name in found:
                modules[name] = self.hidden[name]
                if name in self.cut:
                    space, last = self.cut[name]
                    space[last] = modules[name]


def called():
    """Whether there is something on the channel."""
    posix.set_blocking(CHANNEL, False)
    try:
        return bool(frames.input.peek(1))
    finally:
        posix.set_blocking(CHANNEL, True)


def reveals(code, codes):
    """Whether a program may come to see where objects lie."""
    rest = [code]
    while rest:
        part = rest.pop()
        if type(part) is tuple:
            rest.extend(part)
        elif type(part) is str and "%" in part:
            return True
        elif type(part) is Code:
            if not REVEALING.isdisjoint(part.co_names) or not codes.isdisjoint(part.co_code[::2]):
                return True
            rest.extend(part.co_consts)
    return False


def imports_of(code, importing, extended):
    """The names in a module's import statements; those in functions are not met by loading it."""
    found, text, names = set(), code.co_code, code.co_names
    codes = text[::2]
    at = codes.find(importing) if importing else -1
    while at >= 0:
        index = text[2 * at + 1]
        if at > 0 and codes[at - 1] == extended:
            index |= text[2 * at - 1] << 8
        if index < len(names):
            found.add(names[index])
        at = codes.find(importing, at + 1)
    return found


ahead = Ahead()
ahead.load_all()
program.show, program.hidden = ahead.show, ahead.hidden
