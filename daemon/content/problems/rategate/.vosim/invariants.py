"""Says whether a sentence of invariants.toml holds on one run of calls and their answers."""


def check(template, choices, calls, answers):
    """True: it holds on this run. False: the run contradicts it. None: it does not speak of it."""
    rule = {
        "never_too_often": never_too_often,
        "free_tells_enter": free_tells_enter,
        "between_two_questions": between_two_questions,
    }[template]
    found = [rule(choices, *gate) for gate in gates(calls, answers)]
    found = [holds for holds in found if holds is not None]
    return all(found) if found else None


def gates(calls, answers):
    """Each gate with its limit, its window and what was called on it, in order."""
    made, at = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "RateGate":
            at = (args[0], args[1], [])
            made.append(at)
        elif name.startswith("RateGate@"):
            at = made[int(name.partition("@")[2]) - 1]
        else:
            at[2].append((name, args[0], args[1], answer))
    return made


def never_too_often(choices, limit, window, calls):
    length = (window, window + 1, 2 * window)[choices["stretch"]]
    came = {}
    for name, badge, time, answer in calls:
        if name == "enter" and answer is True:
            came.setdefault(badge, []).append(time)
    holds = None
    for times in came.values():
        end = 0
        for start, first in enumerate(times):
            while end < len(times) and times[end] < first + length:
                end += 1
            count = end - start
            if not (count < limit, count <= limit, count == limit)[choices["often"]]:
                return False
            holds = True
    return holds


def free_tells_enter(choices, limit, window, calls):
    holds = None
    for at in range(len(calls) - 1):
        (asked, badge, time, number), (came, other, later, admitted) = calls[at : at + 2]
        if (asked, came, badge, time) != ("free", "enter", other, later):
            continue
        if number != choices["number"] and choices["number"] < 2:
            continue
        fits = admitted is (choices["outcome"] != 1)
        if fits and choices["outcome"] == 2 and at + 2 < len(calls):
            name, third, moment, left = calls[at + 2]
            if (name, third, moment) == ("free", badge, time):
                fits = left < number
        if not fits:
            return False
        holds = True
    return holds


def between_two_questions(choices, limit, window, calls):
    holds = None
    for at in range(len(calls) - 2):
        first, visit, second = calls[at : at + 3]
        if (first[0], visit[0], second[0]) != ("free", "enter", "free") or visit[3] is not True:
            continue
        if first[1:3] != second[1:3] or visit[2] != first[2]:
            continue
        own = visit[1] == first[1]
        if (own, not own, True)[choices["whose"]]:
            expected = (first[3], 0, first[3] - 1 if type(first[3]) is int else None)
            if second[3] != expected[choices["change"]]:
                return False
            holds = True
    return holds
