"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from itertools import accumulate
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
DRAWN = GENERATOR["hidden"](random.Random(20_261_129))


def model(visits):
    """How the number of people changes at each second, added up from second to second."""
    changes = {}
    for pair in visits:
        for second, change in ((min(pair), 1), (max(pair), -1)):
            changes[second] = changes.get(second, 0) + change
    seconds = sorted(changes)
    inside = list(accumulate(changes[second] for second in seconds))
    most = max(inside, default=0)
    return [most, seconds[inside.index(most)] if most else -1]


def answered(calls):
    return [[name, args, model(*args)] for name, args in calls]


def play(*lists):
    return answered([["fullest", [visits]] for visits in lists])


def made(kind, seed, *numbers):
    """A case of one of the generator's kinds."""
    return answered(GENERATOR[kind](random.Random(seed), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_few_visits",
        "Basic",
        "One, two and three visits, apart and together",
        VISIBLE,
        play(
            [[15, 20]],
            [[10, 30], [20, 40]],
            [[10, 50], [20, 40], [25, 35]],
            [[10, 20], [30, 90], [40, 60]],
            [[10, 30], [10, 20]],
        ),
        [],
    ),
    (
        "test_leave_and_enter",
        "Touching",
        "One person leaves at the second at which another comes in",
        VISIBLE,
        play([[20, 30], [10, 20]], [[10, 20], [20, 30], [20, 40]], [[30, 50], [10, 30], [20, 31]]),
        [],
    ),
    (
        "test_turned_round",
        "Empty",
        "Visits with two equal seconds",
        VISIBLE,
        play([[20, 20]], [[20, 20], [15, 25], [40, 40], [40, 40]], [[10, 30], [50, 90], [50, 50]]),
        [],
    ),
    (
        "test_wrong_way_round",
        "Gate",
        "Visits whose seconds were written the wrong way round",
        VISIBLE,
        play([[30, 12]], [[40, 20], [10, 30]], [[90, 10], [80, 20], [70, 60], [15, 25]]),
        [],
    ),
    (
        "test_first_of_equals",
        "Ties",
        "The greatest number is reached more than once",
        VISIBLE,
        play([[10, 20], [30, 40]], [[50, 60], [10, 20], [30, 40]], [[70, 90], [75, 95], [10, 30], [20, 30]]),
        [],
    ),
    (
        "test_nobody",
        "Empty",
        "No visit at all, and none that counts",
        VISIBLE,
        play([], [[12, 12], [30, 30]]),
        [],
    ),
    (
        "test_groups",
        "Groups",
        "People who come and go together",
        HIDDEN,
        answered(DRAWN["test_groups"]),
        made("groups", 5, 1),
    ),
    (
        "test_mixed_lists",
        "Mixed",
        "Short lists of all kinds",
        HIDDEN,
        answered(DRAWN["test_mixed_lists"]),
        made("mixed", 9, 2),
    ),
    (
        "test_long_list",
        "Large",
        "More than a thousand visits, far apart and in crowds",
        HIDDEN,
        answered(DRAWN["test_long_list"]),
        made("long_list", 3, 4, 10, 3_000),
    ),
    (
        "test_whole_range",
        "Edge Case",
        "Visits from the first second or to the last one",
        HIDDEN,
        answered(DRAWN["test_whole_range"]),
        made("whole_range", 8, 1_000),
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
