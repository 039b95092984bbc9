"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from bisect import bisect_right, insort
from itertools import groupby
from pathlib import Path

# The hidden inputs that a session draws are of the same kinds.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
calls, reshaped, random_rings, slopes, largest_ring, REACHES, RUINS = (
    GENERATOR[name]
    for name in ("calls", "reshaped", "random_rings", "slopes", "largest_ring", "REACHES", "RUINS")
)


def answered(ops):
    """The calls with the answers of the model."""
    return [[name, args, steps(*args)] for name, args in ops]


def steps(heights, reach):
    """Puts the places in from the tallest to the lowest; those that are in are taller."""
    answers, taller = [-1] * len(heights), []
    order = sorted((-height, place) for place, height in enumerate(heights) if height)
    for _, group in groupby(order, key=lambda entry: entry[0]):
        places = [place for _, place in group]
        for place in places:
            at = bisect_right(taller, place)
            around = [*taller[at : at + 1], *(other + len(heights) for other in taller[:1])]
            way = around[0] - place if around else reach + 1
            answers[place] = way if way <= reach else 0
        for place in places:
            insort(taller, place)
    return answers


def play(*rings):
    return answered(calls(rings))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_next_taller",
        "Basic",
        "The first taller beacon gets the signal",
        VISIBLE,
        play(([2, 5, 3, 9], 9), ([12, 11, 10, 13], 9), ([3, 8, 5, 6, 9], 9)),
        [],
    ),
    (
        "test_ring",
        "Ring",
        "After the last place comes the first",
        VISIBLE,
        play(([9, 7, 5, 3], 9), ([4, 8, 6], 9), ([2, 7, 1, 5], 9)),
        [],
    ),
    (
        "test_same_height",
        "Heights",
        "A beacon of the same height gets no signal",
        VISIBLE,
        play(([4, 4], 9), ([6, 6, 7], 9), ([3, 8, 3, 8, 3], 9)),
        [],
    ),
    (
        "test_reach",
        "Reach",
        "A signal that would have to go too far is lost",
        VISIBLE,
        play(([5, 2, 3, 6], 3), ([5, 2, 3, 6], 2), ([8, 7, 6, 9], 1)),
        [],
    ),
    (
        "test_ruins",
        "Ruins",
        "Ruins send nothing and let signals pass",
        VISIBLE,
        play(([5, 0, 8], 9), ([0, 4, 0, 6], 9), ([7, 0, 0, 9], 2)),
        [],
    ),
    (
        "test_small_rings",
        "Basic",
        "Rings with no place, one place and two places",
        VISIBLE,
        play(([], 1), ([5], 4), ([0], 2), ([3, 9], 1)),
        [],
    ),
    (
        "test_edges_of_reach",
        "Reach",
        "Taller beacons just within and just beyond the reach",
        HIDDEN,
        answered(calls(reshaped(REACHES, random.Random(1)))),
        play(
            *(([14, 13, 12, 11, 15], reach) for reach in (3, 4, 1)),
            *(([13, 11, 12, 11, 13, 12], reach) for reach in (2, 12)),
            *(([15, 11, 12, 13], 2), ([14, 14, 14, 15], 2), ([12, 11], 1), ([17], 1)),
        ),
    ),
    (
        "test_ruins_on_the_way",
        "Ruins",
        "Ruins between the beacons, and a reach that they use up",
        HIDDEN,
        answered(calls(reshaped(RUINS, random.Random(2)))),
        play(
            *(([13, 0, 0, 14], reach) for reach in (2, 3)),
            *(([15, 0, 13, 0], reach) for reach in (2, 1)),
            *(([0, 13, 0, 12, 0, 14], 2), ([12, 0, 12, 0, 13], 3), ([0, 0], 3), ([0, 16], 9)),
            ([14, 13, 0, 12, 11, 0, 15, 0], 6),
        ),
    ),
    (
        "test_random_rings",
        "Mixed",
        "Many small rings",
        HIDDEN,
        answered(calls(random_rings(random.Random(3), 80))),
        answered(calls(random_rings(random.Random(4), 40))),
    ),
    (
        "test_slopes",
        "Long",
        "Long ways down and up again",
        HIDDEN,
        answered(calls(slopes(random.Random(5), 420))),
        answered(calls(slopes(random.Random(6), 60))),
    ),
    (
        "test_largest_ring",
        "Long",
        "A ring of 15,000 places",
        HIDDEN,
        answered(calls(largest_ring(random.Random(7), 15_000))),
        answered(calls(largest_ring(random.Random(8), 160))),
    ),
]


def lines(ops):
    """The operations as JSON, one on each line, so that a change shows in a diff."""
    texts = [json.dumps(op, separators=(",", ":")) for op in ops]
    return "[\n        " + ",\n        ".join(texts) + "\n      ]"


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
