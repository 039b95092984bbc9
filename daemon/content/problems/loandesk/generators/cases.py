"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, scripts = GENERATOR["script"], GENERATOR["SCRIPTS"]


def answered(calls):
    """The calls with the answers of a model: a desk is its limit and the set of its loans."""
    desks, ops, desk = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "LoanDesk":
            desk = args[0], set()
            desks.append(desk)
        elif name.startswith("LoanDesk@"):
            desk = desks[int(name.partition("@")[2]) - 1]
        else:
            op.append(MODEL[name](*desk, *args))
        ops.append(op)
    return ops


def held(_, loans, person):
    return sum(owner == person for _, owner in loans)


def holder(_, loans, tool):
    return next((owner for thing, owner in loans if thing == tool), 0)


def lend(limit, loans, tool, person):
    if holder(limit, loans, tool) or held(limit, loans, person) == limit:
        return -1
    loans.add((tool, person))
    return held(limit, loans, person)


def give_back(limit, loans, tool, person):
    if (tool, person) not in loans:
        return -1
    loans.remove((tool, person))
    return held(limit, loans, person)


MODEL = {"held": held, "holder": holder, "lend": lend, "give_back": give_back}


def numbered(calls, seed):
    """The calls with large numbers: Python keeps one object for each small one, with which a program
    that compares by `is` would get through."""
    return answered(GENERATOR["renumbered"](calls, random.Random(seed)))


def play(text):
    """A case from a script such as "d2 l5:7 h5": a limit of two, lend(5, 7), then holder(5)."""
    return answered(script(text))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_first_loans",
        "Basic",
        "Tools are lent and the desk knows who holds them",
        VISIBLE,
        play("d3 h14 n5 l14:5 h14 n5 l15:5 l16:6 h15 h16 n5 n6 n7"),
        [],
    ),
    (
        "test_tool_is_out",
        "Refusal",
        "A tool that is out is not lent, to nobody",
        VISIBLE,
        play("d4 l21:8 l21:9 h21 l21:8 h21 n8 n9"),
        [],
    ),
    (
        "test_limit",
        "Limit",
        "A person holds as many tools as allowed, and no more",
        VISIBLE,
        play("d3 l31:4 l32:4 l33:4 l34:4 h34 n4 l34:5 n5"),
        [],
    ),
    (
        "test_give_back",
        "Return",
        "A tool comes back and goes out again",
        VISIBLE,
        play("d2 l41:3 l42:3 b41:3 h41 n3 l41:6 h41 b42:3 n3 l42:3 h42 b41:6 n6"),
        [],
    ),
    (
        "test_wrong_person",
        "Return",
        "Only the person who holds a tool gives it back",
        VISIBLE,
        play("d2 l51:2 b51:7 h51 n2 b52:2 n2 b51:2 b51:2 n2"),
        [],
    ),
    (
        "test_refused_changes_nothing",
        "Refusal",
        "After refused calls everything is as before",
        HIDDEN,
        numbered(script(scripts["test_refused_changes_nothing"]), 21),
        play(
            "d1 l61:3 l61:4 n4 l62:4 l63:4 h63 n4 b61:4 h61 n3 b64:3 n3 h64 b61:3 n3 l61:4 n4"
            " b62:4 l61:4 b69:8 n8"
        ),
    ),
    (
        "test_two_desks",
        "Independence",
        "Two desks with the same numbers are used in turn",
        HIDDEN,
        numbered(script(scripts["test_two_desks"]), 22),
        play(
            "d1 l71:3 d2 h71 n3 l71:4 l72:4 l73:4 @1 h71 n4 l72:4 l74:4 b71:4 h71 n3 b71:3 @2 h71"
            " b71:4 @1 h71 l71:3"
        ),
    ),
    (
        "test_same_numbers",
        "Numbers",
        "Tools and people have the same numbers",
        HIDDEN,
        numbered(script(scripts["test_same_numbers"]), 23),
        play(
            "d2 l6:7 l7:8 h7 h6 n7 n6 l8:6 n8 h8 l9:7 l5:7 b6:7 n7 h7 b6:7 l6:6 h6 b9:7 l9:9 h9"
            " n9 b9:9 h9"
        ),
    ),
    (
        "test_limit_of_one",
        "Limit",
        "A limit of one tool",
        HIDDEN,
        numbered(script(scripts["test_limit_of_one"]), 24),
        play(
            "d1 l81:5 l81:5 l82:5 l81:6 n6 h82 b81:6 h81 b81:5 b81:5 l82:5 h82 n5 l81:6 b81:5"
            " b82:5 l82:6 n6"
        ),
    ),
    (
        "test_many_loans",
        "Long",
        "Hundreds of tools are out at the same time",
        HIDDEN,
        numbered(GENERATOR["many_loans"](random.Random(9), 640, 8), 25),
        answered(GENERATOR["many_loans"](random.Random(10), 16, 3)),
    ),
    (
        "test_mixed_day",
        "Long",
        "1,500 mixed calls",
        HIDDEN,
        numbered(GENERATOR["mixed_day"](random.Random(7), 3, 1_500, 12, 6), 26),
        answered(GENERATOR["mixed_day"](random.Random(8), 2, 80, 5, 3)),
    ),
]


def lines(ops):
    """The operations as JSON, a handful on each line, so that a change shows in a diff."""
    texts = [json.dumps(op, separators=(",", ":")) for op in ops]
    rows = [",".join(texts[at : at + 8]) for at in range(0, len(texts), 8)]
    return "[\n        " + ",\n        ".join(rows) + "\n      ]"


def document():
    blocks = []
    for name, category, description, visible, ops, twin in CASES:
        fields = [
            f'"name": {json.dumps(name)}',
            f'"category": {json.dumps(category)}',
            f'"description": {json.dumps(description)}',
            f'"visible": {json.dumps(visible)}',
            f'"ops": {lines(ops)}',
        ]
        if twin:
            fields.append(f'"twin": {lines(twin)}')
        blocks.append("    {\n      " + ",\n      ".join(fields) + "\n    }")
    return '{\n  "cases": [\n' + ",\n".join(blocks) + "\n  ]\n}\n"


if __name__ == "__main__":
    sys.stdout.write(document())
