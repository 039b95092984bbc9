"""Tries the statements of `invariants.toml` on a run: True where it bears them out, False where it
contradicts them, None where it does not speak of them."""


def check(template, choices, calls, answers):
    coasts, coast, found = [], None, []
    for (name, args), answer in zip(calls, answers):
        if name == "Coast":
            coast = {"count": args[0], "cables": set(), "joined": 0, "seen": None, "told": []}
            coasts.append(coast)
        elif name.startswith("Coast@"):
            coast = coasts[int(name.partition("@")[2]) - 1]
        else:
            found.append(STATEMENTS[template](choices, coast, name, args, answer))
            note(coast, name, args, answer)
    said = [held for held in found if held is not None]
    return all(said) if said else None


def note(coast, name, args, answer):
    """What an observer remembers of a call."""
    if name == "lay":
        if all(1 <= number <= coast["count"] for number in args):
            coast["cables"].add(frozenset(args))
        coast["joined"] += answer is True
        coast["told"].clear()
    elif name == "groups":
        coast["seen"], coast["joined"] = answer, 0
    else:
        coast["told"].append((name, args, answer))


def reached(coast, start):
    """All lighthouses to which a way along the cables leads."""
    near = {}
    for cable in coast["cables"]:
        for number in cable:
            near.setdefault(number, set()).update(cable)
    reached, new = set(), {start}
    while new:
        reached |= new
        new = set().union(*(near.get(number, set()) for number in new)) - reached
    return reached


def lay_and_count(choices, coast, name, args, answer):
    if name == "groups" and coast["seen"] is not None and coast["joined"]:
        fall = (coast["joined"], 0, 2 * coast["joined"])[choices["change"]]
        return coast["seen"] - answer == fall
    if name != "lay" or not all(1 <= number <= coast["count"] for number in args):
        return None
    if choices["when"] == 2:
        return answer is (args[1] not in reached(coast, args[0]))
    different = args[0] != args[1]
    return answer is (different and (choices["when"] == 0 or frozenset(args) not in coast["cables"]))


def one_group(choices, coast, name, args, answer):
    """Compares an answer with what was told since the last cable."""
    if name not in ("size", "speaker"):
        return None
    talk = {frozenset(pair) for call, pair, said in coast["told"] if call == "can_talk" and said}
    said = []
    for call, other, told in coast["told"]:
        if call != name or frozenset([*args, *other]) not in talk or args == other:
            continue
        if name == "size":
            said.append((abs(answer - told) == 1, answer == told, answer != told)[choices["sizes"]])
        else:
            both = [*args, *other]
            kinds = (max(answer, told) <= min(both), min(answer, told) >= max(both), answer != told)
            said.append(kinds[choices["speakers"]])
    return all(said) if said else None


STATEMENTS = {"lay_and_count": lay_and_count, "one_group": one_group}
