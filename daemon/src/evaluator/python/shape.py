"""Whether what a file defines can be called as the problem says, and what is there instead.

What a call accepts decides, not how it is written: only what surely cannot work is refused, and
what is no plain function is looked at on an instance.
"""

Method = type(frames.next)


class Shape:
    """Compares what is defined with what is needed."""

    def of_function(self, name, target):
        wanted = program.interface["params"]
        return [] if takes(target, wanted) else [problem(name, shown(target, name, wanted))]

    def of_class(self, target):
        self.target, self.made = target, None
        wanted = program.interface["constructor"]
        name = program.interface["name"]
        problems = []
        init = self.constructor()
        if init is not None and not takes(init, wanted, 1):
            problems.append(problem(name, shown(init, name, wanted, 1)))
        for method in program.interface["methods"]:
            problems.extend(self.method(method["name"], method["params"]))
        return problems

    def constructor(self):
        """The function that takes the constructor's arguments; None when it cannot be told."""
        target = self.target
        if type(target) is not type:
            return None
        if look_up(target, "__new__")[0] is not object.__dict__["__new__"]:
            return None
        init = look_up(target, "__init__")[0]
        if init is object.__dict__["__init__"]:
            return lambda self: None
        return init if type(init) is Function else None

    def method(self, name, wanted):
        raw, there = look_up(self.target, name)
        if there:
            given = 1
            if type(raw) is staticmethod:
                raw, given = raw.__func__, 0
            elif type(raw) is classmethod:
                raw = raw.__func__
            if type(raw) is Function:
                fits = takes(raw, wanted, given)
                return [] if fits else [problem(name, shown(raw, name, wanted, given))]
        # An attribute of another sort, or one that only instances have: theirs is what is called.
        got, found = self.on_instance(name)
        if got and not callable(found):
            return [problem(name, "%s = %s" % (name, name_of(type(found))))]
        if got:
            return [] if takes(found, wanted) else [problem(name, shown(found, name, wanted))]
        # What could not be looked at is for the cases to show.
        return [] if there else [self.absent(name)]

    def on_instance(self, name):
        """Whether there is something under this name, and what."""
        try:
            if self.made is None:
                self.made = self.target(*[1] * program.interface["constructor"])
            return True, getattr(self.made, name)
        except Exception:
            return False, None

    def absent(self, name):
        """A method that is not there, with one that is spelt almost like it."""
        fold = name.replace("_", "").lower()
        public = [n for n in dir(self.target) if type(n) is str and not n.startswith("__")]
        near = [n for n in public if n.replace("_", "").lower() == fold]
        return problem(name, near[0] if near else None, public)


def look_up(target, name):
    for base in TYPE_BASES(target):
        space = TYPE_SPACE(base)
        if name in space:
            return space[name], True
    return None, False


def bare(function, given=0):
    """The function behind bound methods and partial ones, how many arguments it is given before
    those of the call, and the names of those it is given by name; no function where it cannot be
    told."""
    named = ()
    for _ in range(20):
        if type(function) is Function:
            return function, given, named
        if type(function) is Method:
            function, given = function.__func__, given + 1
        elif is_partial(function):
            named = (*named, *function.keywords)
            function, given = function.func, given + len(function.args)
        else:
            break
    return None, given, named


def is_partial(function):
    known = modules.get("functools") or program.hidden.get("functools")
    return known is not None and type(function) is known.partial


def takes(function, wanted, given=0):
    """Whether it can be called with that many arguments by position; yes where it cannot be told."""
    function, given, named = bare(function, given)
    if function is None:
        return True
    code = function.__code__
    most = code.co_argcount
    by_place = code.co_varnames[:most]
    least = most - len(function.__defaults__ or ())
    keywords = function.__kwdefaults__ or ()
    by_name = code.co_varnames[most:most + code.co_kwonlyargcount]
    count = wanted + given
    if count > most and not code.co_flags & 4:
        return False
    missing = [n for n in by_place[count:least] if n not in named]
    twice = [n for n in by_place[:count] if n in named]
    return not missing and not twice and all(n in keywords or n in named for n in by_name)


def shown(function, name, wanted, given=0):
    """A function as it is written, without what it is given before the arguments of a call."""
    plain, given, named = bare(function, given)
    if plain is None:
        return name
    code = plain.__code__
    most, more = code.co_argcount, code.co_kwonlyargcount
    params = list(code.co_varnames[:most])
    selfless = given == 1 and most == wanted and params[:1] != ["self"]
    params = params if selfless else params[given:]
    if code.co_flags & 4:
        params.append("*" + code.co_varnames[most + more])
    elif more:
        params.append("*")
    params += code.co_varnames[most:most + more]
    if code.co_flags & 8:
        params.append("**" + code.co_varnames[most + more + bool(code.co_flags & 4)])
    params = ", ".join(n for n in params if n not in named)
    return "%s(%s)%s" % (name, params, " without self" if selfless else "")


shape = Shape()
