"""Looks at a run, the calls with their answers, and says whether a sentence of invariants.toml holds.

It is about what can be seen from outside. Which chair is hired out until when is taken from the calls
that were answered with a chair or with true.
"""


def check(template, choices, calls, answers):
    """True: the sentence holds in this run; False: the run contradicts it; None: it says nothing."""
    rule = {"which_chair": chairs, "which_end": ends, "what_is_refused": refused}[template]
    said = [holds for count, steps in books(calls, answers) for holds in rule(choices, count, steps)]
    return None if not said else all(said)


def books(calls, answers):
    """The calls of each book with their answers."""
    made, steps = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "Keeper":
            steps = []
            made.append((args[0], steps))
        elif "@" in name:
            steps = made[int(name.partition("@")[2]) - 1][1]
        else:
            steps.append((name, args, answer))
    return made


def accepted(until, name, args, answer):
    """Writes down what a call that was not refused says of the ends."""
    if name == "take" and type(answer) is int and answer > 0:
        until[answer] = args[1]
    elif name == "renew" and answer is True:
        until[args[1]] = args[2]


def chairs(choices, count, steps):
    until, since, seen = {}, {}, []
    over = [
        lambda end, now: end <= now,
        lambda end, now: end < now,
        lambda end, now: end < 0,
    ][choices["when"]]
    for at, (name, args, answer) in enumerate(steps):
        now = args[0]
        for chair, end in list(until.items()):
            if over(end, now):
                del until[chair]
                # What ends later became free later; of equal ones nothing is said.
                since[chair] = (end, 0)
        vacant = [chair for chair in range(1, count + 1) if chair not in until]
        if name == "free":
            seen.append(answer == len(vacant))
        if name == "take" and args[1] > now and type(answer) is int and answer > 0:
            if choices["chair"] == 0:
                seen.append(vacant[:1] == [answer])
            elif choices["chair"] == 1:
                new = [chair for chair in vacant if chair not in since]
                seen.append(new[:1] == [answer] if new else answer in vacant)
            else:
                freed = max(since.values(), default=None)
                last = [chair for chair in vacant if since.get(chair) == freed and freed]
                seen.append(answer in last if last else answer in vacant)
        accepted(until, name, args, answer)
        since.pop(answer if name == "take" else 0, None)
        if name == "leave" and answer is True and args[1] in until:
            del until[args[1]]
            since[args[1]] = (now, at + 1)
    return seen


def ends(choices, count, steps):
    until, seen, spoken = {}, [], False
    for name, args, answer in steps:
        now = args[0]
        hired = {chair: end for chair, end in until.items() if end > now}
        if name == "free" and spoken:
            seen.append(answer == count - len(hired))
        if name == "renew" and answer is True and args[1] in hired:
            both = (hired[args[1]], args[2])
            until[args[1]] = [max(both), min(both), args[2]][choices["end"]]
            spoken = True
        elif name == "leave" and answer is True and args[1] in hired:
            if choices["rest"] == 1:
                del until[args[1]]
            elif choices["rest"] == 2:
                until[args[1]] = float("inf")
            spoken = True
        elif name == "take":
            accepted(until, name, args, answer)
    return seen


def refused(choices, count, steps):
    until, taken, seen = {}, set(), []
    for name, args, answer in steps:
        now = args[0]
        hired = {chair for chair, end in until.items() if end > now}
        if name == "free":
            seen.append(answer == count - len(hired))
        elif name == "leave":
            chair = args[1]
            seen.append(answer is [True, chair in taken, chair in hired][choices["when"]])
            if answer is True or choices["effect"] == 1:
                until.pop(chair, None)
            elif choices["effect"] == 2 and 0 < chair <= count:
                until[chair] = max(until.get(chair, 0), now + 1)
        elif name == "renew" and answer is False and args[1] <= count:
            if choices["effect"] == 1:
                until.pop(args[1], None)
            elif choices["effect"] == 2:
                until[args[1]] = max(until.get(args[1], 0), args[2])
        accepted(until, name, args, answer)
        if name == "take":
            taken.add(answer)
    return seen
