"""Looks at a run, the calls with their answers, and says whether a sentence of invariants.toml holds.

It is about what can be seen from outside. Which names are there is taken from the calls.
"""


def check(template, choices, calls, answers):
    """True: the sentence holds in this run; False: the run contradicts it; None: it says nothing."""
    rule = {
        "what_is_counted": counted,
        "what_is_listed": listed,
        "what_remove_leaves": removed,
    }[template]
    said = [rule(choices, steps) for steps in registers(calls, answers)]
    seen = [holds for one in said for holds in one]
    return None if not seen else all(seen)


def registers(calls, answers):
    """The calls of each register with their answers."""
    made, steps = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "Register":
            steps = []
            made.append(steps)
        elif "@" in name:
            steps = made[int(name.partition("@")[2]) - 1]
        else:
            steps.append((name, args, answer))
    return made


def counted(choices, steps):
    entered, seen = {}, []
    fits = [
        lambda text, name: text in name,
        lambda text, name: name.startswith(text),
        lambda text, name: name.startswith(text) and name != text,
    ][choices["fits"]]
    weigh = [lambda times: 1, lambda times: times, lambda times: int(times == 1)][choices["times"]]
    for name, args, answer in steps:
        if name == "add":
            entered[args[0]] = entered.get(args[0], 0) + 1
        elif name == "remove":
            entered.pop(args[0], None)
        elif name == "count":
            number = sum(weigh(times) for known, times in entered.items() if fits(args[0], known))
            seen.append(answer == number)
    return seen


def listed(choices, steps):
    entered, seen = {}, []
    for name, args, answer in steps:
        if name == "add":
            entered.setdefault(args[0], len(entered) + 1)
        elif name == "remove" and args[0] in entered:
            entered.pop(args[0])
            # Later entries come after all that are there.
            entered = {known: at for at, known in enumerate(entered)}
        elif name == "first":
            if type(answer) is not list:
                seen.append(False)
                continue
            key = [str, lambda text: entered.get(text, -1), len][choices["order"]]
            pairs = list(zip(answer, answer[1:]))
            if choices["order"] == 2:
                seen += [key(one) <= key(other) for one, other in pairs]
            else:
                seen += [key(one) < key(other) for one, other in pairs]
            fit = sum(known.startswith(args[0]) for known in entered)
            seen.append(len(answer) == [args[1], min(args[1], fit), fit][choices["number"]])
    return seen


def removed(choices, steps):
    entered, seen = set(), []
    for name, args, answer in steps:
        if name == "add":
            entered.add(args[0])
        elif name == "remove":
            text = args[0]
            begun = any(known.startswith(text) for known in entered)
            seen.append(answer is [True, begun, text in entered][choices["when"]])
            if choices["rest"] == 0:
                entered = {known for known in entered if not known.startswith(text)}
            elif choices["rest"] == 1:
                entered.discard(text)
        elif name == "count":
            seen.append(answer == sum(known.startswith(args[0]) for known in entered))
    return seen
