"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its numbers do: they are exchanged for others, the
same ones for tools and for people; and of the long cases also which call comes when.
"""

import random

NUMBER_MAX = 1_000_000_000

# "d2" makes a desk with a limit of two, "@1" goes back to the first one, "l5:7" lends tool 5 to
# person 7, "b5:7" gives it back, "h5" asks who holds tool 5, and "n7" how many tools person 7
# holds.
SCRIPTS = {
    "test_refused_changes_nothing": (
        "d2 l1:11 l1:12 n12 h1 l2:12 l3:12 l4:12 n12 h4 l4:11 n11 b4:12 h4 n12 n11 b2:11 h2 n11"
        " b5:11 n11 h5 l1:11 n11 b1:11 n11 l1:12 b2:12 l1:12 h1 n12 b9:13 n13 l9:13"
    ),
    "test_two_desks": (
        "d1 l1:11 d3 h1 n11 l1:12 l2:12 @1 h1 h2 n12 l2:12 b1:12 b1:11 @2 h1 n12 l3:12 l4:12"
        " b1:12 @1 l1:11 l3:11 h3 d1 h1 n11 l3:12 l1:12 @2 h3 n12 b3:12 @3 h3 n12"
    ),
    "test_same_numbers": (
        "d2 l1:2 l2:3 h2 h1 n2 n1 l3:1 n3 h3 n1 l4:2 b1:2 h1 n1 l1:3 l5:3 h5 n5 b5:3 b2:3 h2 n2"
        " l5:5 h5 n5 b5:5 h5 n5 l5:1 h5"
    ),
    "test_limit_of_one": (
        "d1 l1:11 n11 l1:11 l2:11 h2 n11 b2:11 b1:11 b1:11 n11 l2:11 l1:11 l1:12 b1:11 n12 b2:11"
        " l1:11 b1:12 l1:11 h1 h2 n12 n11"
    ),
}


def generate(seed):
    draw = random.Random(seed)
    cases = {name: renumbered(script(text), draw) for name, text in SCRIPTS.items()}
    cases["test_mixed_day"] = renumbered(mixed_day(draw, 3, 1_500, 12, 6), draw)
    cases["test_many_loans"] = renumbered(many_loans(draw, 400, 8), draw)
    return cases


def script(text):
    return [call(word) for word in text.split()]


NAMES = {"l": "lend", "b": "give_back", "h": "holder", "n": "held"}


def call(word):
    kind, rest = word[0], word[1:]
    if kind == "d":
        return ["LoanDesk", [int(rest)]]
    if kind == "@":
        return ["LoanDesk" + word, []]
    return [NAMES[kind], [int(number) for number in rest.split(":")]]


def mixed_day(draw, limit, number, tools, people):
    """Mixed calls. At times the last person gives a tool back, so that it succeeds often enough."""
    calls = [["LoanDesk", [limit]], ["held", [people + 1]], ["holder", [tools + 1]]]
    last = {}
    for _ in range(number):
        tool, person = 1 + int(draw.random() * tools), 1 + int(draw.random() * people)
        kind = draw.random()
        if kind < 0.4:
            calls.append(["lend", [tool, person]])
            last.setdefault(tool, person)
        elif kind < 0.55:
            calls.append(["give_back", [tool, last.pop(tool, person)]])
        elif kind < 0.65:
            calls.append(["give_back", [tool, person]])
        elif kind < 0.85:
            calls.append(["holder", [tool]])
        else:
            calls.append(["held", [person]])
    return calls


def many_loans(draw, tools, people):
    """All tools go out, questions are asked, some come back and go to others."""
    order = list(range(1, tools + 1))
    draw.shuffle(order)
    calls = [["LoanDesk", [tools]]]
    calls += (["lend", [tool, 1 + tool % people]] for tool in order)
    draw.shuffle(order)
    calls += (["holder", [tool]] for tool in order[: tools // 2])
    calls += (["held", [person]] for person in range(1, people + 1))
    back = order[: tools // 2]
    calls += (["give_back", [tool, 1 + tool % people]] for tool in back)
    calls += (["lend", [tool, people + 1]] for tool in back)
    calls += (["holder", [tool]] for tool in back[:100])
    calls += (["held", [person]] for person in range(1, people + 2))
    return calls + full_house(300 + int(draw.random() * 100)) + whole_street(150)


def whole_street(people):
    """A desk of its own, at which each of many people takes one tool, and brings it back last of all."""
    calls = [["LoanDesk", [1]]] + [["lend", [at, at]] for at in range(1, people + 1)]
    calls += [["lend", [people + 1, at]] for at in (1, 2, people)]
    return calls + [["give_back", [at, at]] for at in range(1, people + 1)]


def full_house(limit):
    """A desk of its own, at which one person takes as many tools as there may be."""
    calls = [["LoanDesk", [limit]]] + [["lend", [tool, 1]] for tool in range(1, limit + 3)]
    calls += [["held", [1]], ["give_back", [limit, 1]], ["lend", [limit + 2, 1]]]
    return calls + [["lend", [limit, 1]], ["holder", [limit]], ["lend", [limit, 2]], ["held", [1]]]


def renumbered(calls, draw):
    """The same calls with other tools and people; who is who stays."""
    used = sorted({number for name, args in calls if name in NAMES.values() for number in args})
    new = dict(zip(used, draw.sample(range(1, NUMBER_MAX), len(used))))
    return [
        [name, [new[number] for number in args] if name in NAMES.values() else args]
        for name, args in calls
    ]
