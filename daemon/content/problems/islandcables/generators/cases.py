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
DRAWN = GENERATOR["hidden"](random.Random(20_261_129))


class Model:
    """A coast as its number of lighthouses and, for each, the ends of its cables."""

    def __init__(self, count):
        self.cables = {number: set() for number in range(1, count + 1)}

    def reached(self, start):
        """All that a message from here comes to, wave by wave."""
        reached, wave = set(), {start} & set(self.cables)
        while wave:
            reached |= wave
            wave = {end for number in wave for end in self.cables[number]} - reached
        return reached

    def lay(self, one, other):
        if one not in self.cables or other not in self.cables:
            return False
        new = other not in self.reached(one)
        self.cables[one].add(other)
        self.cables[other].add(one)
        return new

    def can_talk(self, one, other):
        return other in self.reached(one)

    def size(self, one):
        return len(self.reached(one))

    def groups(self):
        left, number = set(self.cables), 0
        while left:
            left -= self.reached(next(iter(left)))
            number += 1
        return number

    def speaker(self, one):
        return min(self.reached(one), default=0)


def answered(calls):
    made, ops, coast = [], [], None
    for name, args in calls:
        if name == "Coast":
            coast = Model(*args)
            made.append(coast)
            ops.append([name, args])
        elif name.startswith("Coast@"):
            coast = made[int(name.partition("@")[2]) - 1]
            ops.append([name, args])
        else:
            ops.append([name, args, getattr(coast, name)(*args)])
    return ops


WORDS = {"c": "Coast", "l": "lay", "t": "can_talk", "s": "size", "g": "groups", "p": "speaker"}


def play(text):
    """A case from a script: "c5" makes a coast of five, "@1" goes back to the first, "l2,4" lays a
    cable, "t2,4" asks whether they can talk, "s2" a size, "g" the groups, "p2" a speaker."""
    calls = []
    for word in text.split():
        if word[0] == "@":
            calls.append(["Coast" + word, []])
        else:
            calls.append([WORDS[word[0]], [int(number) for number in word[1:].split(",") if number]])
    return answered(calls)


def made(kind, seed, *numbers):
    """A case of one of the generator's kinds."""
    return answered(GENERATOR[kind](random.Random(seed), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_chain",
        "Basic",
        "Messages travel along one, two and three cables",
        VISIBLE,
        play("c5 t1,2 t3,3 l1,2 t1,2 t2,1 t1,3 l3,2 t1,3 l4,3 t1,4 t4,2 t5,1 l2,5 t5,4"),
        [],
    ),
    (
        "test_lay_answers",
        "Lay",
        "Cables that join two groups and cables that do not",
        VISIBLE,
        play("c6 l1,2 l2,1 l1,2 l3,3 l2,3 l1,3 l5,6 l6,4 l4,5 l4,1 l6,3"),
        [],
    ),
    (
        "test_groups",
        "Groups",
        "The number of groups after each cable",
        VISIBLE,
        play("c6 g l1,2 g l2,1 g l3,3 g l4,5 g l2,4 g l1,5 g l6,3 g l6,1 g"),
        [],
    ),
    (
        "test_sizes_and_speakers",
        "Groups",
        "Sizes and speakers while groups become one",
        VISIBLE,
        play(
            "c9 s4 p4 l7,4 s7 s4 p7 p4 l7,8 s4 p8 l3,9 p9 s9 l9,8 s7 s9 p4 p8 p3 t4,9 s4 s9 p4 p9 l2,1 p2 l5,2 p5"
            " l5,7 p9 s2 s3 l4,9 s4 p6 s6 t7,1"
        ),
        [],
    ),
    (
        "test_unknown_numbers",
        "Unknown",
        "Numbers that are no lighthouse",
        VISIBLE,
        play("c3 s4 p4 s0 p-1 t4,4 t0,0 t1,4 l1,4 l0,2 l-3,-3 s1 g l4,2 t1,2 l1,2 t1,2 g p9"),
        [],
    ),
    (
        "test_one_lighthouse",
        "Edge Case",
        "A coast with a single lighthouse",
        VISIBLE,
        play("c1 g s1 p1 t1,1 l1,1 g s1 l1,2 g"),
        [],
    ),
    (
        "test_many_coasts",
        "Coasts",
        "Six coasts in turn, each with cables of its own",
        HIDDEN,
        answered(DRAWN["test_many_coasts"]),
        made("many_coasts", 3, 3, 2),
    ),
    (
        "test_mixed_calls",
        "Mixed",
        "Calls of all kinds on small coasts",
        HIDDEN,
        answered(DRAWN["test_mixed_calls"]),
        made("mixed", 5, 7, 12),
    ),
    (
        "test_rings",
        "Groups",
        "Rings of cables, joined one after the other",
        HIDDEN,
        answered(DRAWN["test_rings"]),
        made("rings", 7, 3, 4),
    ),
    (
        "test_big_coast",
        "Large",
        "Very many cables anywhere, and questions between them",
        HIDDEN,
        answered(DRAWN["test_big_coast"]),
        made("big_coast", 9, 14, 12, 20),
    ),
    (
        "test_long_chain",
        "Large",
        "One long chain through all lighthouses",
        HIDDEN,
        answered(DRAWN["test_long_chain"]),
        made("long_chain", 12, 14, 14),
    ),
]


def lines(ops):
    """The operations as JSON, as many on each line as fit, so that a change shows in a diff."""
    rows, row = [], ""
    for op in ops:
        text = json.dumps(op, separators=(",", ":"))
        if row and len(row) + len(text) > 110:
            rows.append(row)
            row = ""
        row += ("," if row else "") + text
    return "[\n        " + ",\n        ".join([*rows, row]) + "\n      ]"


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
