"""Looks at a run, the calls with their answers, and says whether a sentence of invariants.toml holds.

It is about what can be seen from outside. What a station holds is taken from the answers themselves:
the readings that were accepted, without those that were sent.
"""

from bisect import insort


def check(template, choices, calls, answers):
    """True: the sentence holds in this run; False: the run contradicts it; None: it says nothing."""
    rule = {
        "place_of_the_middle": place,
        "send_and_number": sending,
        "full_and_refused": refusing,
    }[template]
    said = [rule(choices, room, steps) for room, steps in stations(calls, answers)]
    return False if False in said else True if True in said else None


def stations(calls, answers):
    """The calls of each station with their answers."""
    made, steps = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "Station":
            steps = []
            made.append((args[0], steps))
        elif "@" in name:
            steps = made[int(name.partition("@")[2]) - 1][1]
        else:
            steps.append((name, args, answer))
    return made


def both(seen):
    return None if not seen else all(seen)


def place(choices, _room, steps):
    held, seen = [], []
    for name, args, answer in steps:
        if name == "add":
            if answer is True:
                insort(held, args[0])
            continue
        count = len(held)
        if not count:
            continue
        before = [(count - 1) // 2, count // 2, (count + 1) // 2][choices["before"]]
        after = count - 1 - [(count - 1) // 2, count // 2, count // 2 + 1][choices["after"]]
        stands = [at for at in (before, after) if 0 <= at < count and held[at] == answer]
        seen.append(len(stands) == 2)
        if name == "send" and answer in held:
            held.remove(answer)
    return both(seen)


def sending(choices, _room, steps):
    held, seen, looked = [], [], None
    for name, args, answer in steps:
        if name == "add":
            if answer is True:
                held.append(args[0])
                looked = None
            continue
        seen.append((answer is None) == (not held))
        if name == "middle":
            looked = answer
            continue
        if held:
            of_this = [held[-1], min(held), looked][choices["what"]]
            if of_this is not None:
                seen.append(answer == of_this)
            if choices["number"] == 0 and answer in held:
                # The last of equal ones, so that the order of the others stays.
                del held[len(held) - 1 - held[::-1].index(answer)]
            elif choices["number"] == 2:
                held = []
        looked = None
    return both(seen)


def refusing(choices, room, steps):
    held, refused, seen, came = [], [], [], 0
    for name, args, answer in steps:
        if name == "add":
            expected = [came < room, len(held) < room, args[0] not in held][choices["when"]]
            seen.append(answer is expected)
            came += 1
            if answer is True:
                insort(held, args[0])
            elif choices["effect"] == 1:
                held = sorted(held[1:] + [args[0]])
            else:
                refused.append(args[0])
            continue
        if held:
            seen.append(answer in held)
        if name == "send" and answer in held:
            held.remove(answer)
            if choices["effect"] == 2 and refused:
                insort(held, refused.pop(0))
    return both(seen)
