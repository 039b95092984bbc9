"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
import textwrap
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
drawn = GENERATOR["generate"](20_261_129)


def most_boxes(prices, low, high):
    """The most boxes of all ways to pack a short shelf: each jar stays, or goes with any other."""
    fits = [
        [j for j in range(len(prices)) if j != i and low <= prices[i] + prices[j] <= high]
        for i in range(len(prices))
    ]
    best = {}

    def largest(free):
        if free not in best:
            if not free:
                best[free] = 0
            else:
                first, rest = free[0], free[1:]
                best[free] = largest(rest)
                for other in rest:
                    if other in fits[first]:
                        left = tuple(jar for jar in rest if jar != other)
                        best[free] = max(best[free], 1 + largest(left))
        return best[free]

    return largest(tuple(range(len(prices))))


def counted(prices, low, high):
    """The same for long shelves: from the dearest jar down, each takes the cheapest partner
    that will do. On short shelves it is held to the other."""
    boxes, at = 0, 0
    for top in reversed(range(len(prices))):
        while at < top and prices[at] + prices[top] < low:
            at += 1
        if at < top and prices[at] + prices[top] <= high:
            boxes, at = boxes + 1, at + 1
    return boxes


def answered(calls):
    """The calls with the answers of a model."""
    ops = []
    for name, (prices, low, high) in calls:
        boxes = counted(prices, low, high)
        if len(prices) <= 12:
            assert boxes == most_boxes(prices, low, high), (prices, low, high)
        ops.append([name, [prices, low, high], [boxes, len(prices) - 2 * boxes]])
    return ops


def play(*shelves):
    return answered(["pack_jars", list(shelf)] for shelf in shelves)


def made(kind, *numbers):
    """A case of one of the generator's kinds from a seed of its own."""
    return answered(GENERATOR[kind](random.Random(77), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_one_box",
        "Basic",
        "Two jars that fit",
        VISIBLE,
        play(([30, 50], 70, 90)),
        [],
    ),
    (
        "test_bounds",
        "Bounds",
        "Two jars on, below and above the bounds",
        VISIBLE,
        play(
            ([30, 50], 80, 90),
            ([30, 50], 60, 80),
            ([30, 50], 80, 80),
            ([30, 50], 81, 90),
            ([30, 50], 60, 79),
        ),
        [],
    ),
    (
        "test_each_jar_once",
        "Jars",
        "A jar is in one box only, and never with itself",
        VISIBLE,
        play(([4, 5, 20], 24, 26), ([4, 6, 8], 12, 12), ([6], 10, 14), ([3, 4, 5, 19, 30], 22, 24)),
        [],
    ),
    (
        "test_same_prices",
        "Jars",
        "Several jars have the same price",
        VISIBLE,
        play(([7, 7, 7, 7, 7], 14, 14), ([2, 2, 9, 9], 10, 12), ([5, 5, 5, 8], 13, 13)),
        [],
    ),
    (
        "test_most_boxes",
        "Most boxes",
        "Not every first choice leads to the most boxes",
        VISIBLE,
        play(
            ([10, 13, 14, 15], 24, 27),
            ([10, 13, 14, 15], 24, 28),
            ([10, 13, 14, 15], 24, 40),
            ([10, 11, 12, 15], 23, 26),
            ([3, 5, 8, 11, 12, 17], 16, 21),
        ),
        [],
    ),
    (
        "test_small_shelves",
        "Leftovers",
        "No jar, one jar, and jars that fit nobody",
        VISIBLE,
        play(([], 5, 9), ([8], 5, 9), ([1, 2, 40, 45], 80, 90), ([41, 44, 200, 300], 80, 90)),
        [],
    ),
    (
        "test_misfits",
        "Leftovers",
        "Jars that fit nobody at both ends, and one left in the middle",
        HIDDEN,
        answered(drawn["test_misfits"]),
        made("misfits"),
    ),
    (
        "test_exact_total",
        "Bounds",
        "One total only, and pairs on the bounds",
        HIDDEN,
        answered(drawn["test_exact_total"]),
        made("exact_total", 2),
    ),
    (
        "test_best_partners",
        "Most boxes",
        "Only one way leads to the most boxes",
        HIDDEN,
        answered(drawn["test_best_partners"]),
        made("best_partners", 1),
    ),
    (
        "test_many_shelves",
        "Mixed",
        "Sixty short shelves",
        HIDDEN,
        answered(drawn["test_many_shelves"]),
        made("many_shelves", 40),
    ),
    (
        "test_long_shelf",
        "Large",
        "4,000 jars, then one",
        HIDDEN,
        answered(drawn["test_long_shelf"]),
        made("long_shelf", 1_200),
    ),
]


def lines(ops):
    """The operations as JSON, in lines that a diff can show."""
    texts = ",".join(json.dumps(op, separators=(",", ":")) for op in ops)
    rows = textwrap.wrap(texts.replace(",", ", "), 92, break_on_hyphens=False)
    return "[\n        " + "\n        ".join(row.replace(", ", ",") for row in rows) + "\n      ]"


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
