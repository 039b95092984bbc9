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


def model(rows):
    """Plays the evening minute by minute: who may be where, with and without a lantern."""
    def find(marks):
        return {
            (r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in marks
        }

    def around(places):
        return {(r + i, c + j) for r, c in places for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))}

    ground, lanterns, hut = find(".AHo~"), find("o"), find("H")
    mist, plain, carrying = find("~"), find("A"), set()
    edge, seen = set(mist), set()
    for minute in range(1, 2 * len(ground) + 2):
        carrying = around(carrying) & ground
        plain = (around(plain) & ground) - mist
        carrying |= plain & lanterns
        if not hut.isdisjoint(plain | carrying):
            return minute
        edge = (around(edge) & ground) - mist
        mist |= edge
        # Who was somewhere before, and can turn back, brings nothing new.
        plain = {at for at in plain if at not in mist and (at, False) not in seen}
        carrying = {at for at in carrying if (at, True) not in seen}
        seen |= {(at, True) for at in carrying} | {(at, False) for at in plain}
    return -1


def answered(maps):
    return [["moor_walk", [rows], model(rows)] for rows in maps]


def drawn(name):
    return answered(rows for _, (rows,) in GENERATOR["generate"](20_261_129)[name])


def twin(kind, seed, *numbers):
    """Maps of one of the generator's kinds."""
    made = GENERATOR[kind](random.Random(seed), *numbers)
    return answered([made] if isinstance(made[0], str) else made)


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_plain_walk",
        "Walk",
        "Without mist, the shortest walk around the rocks is found",
        VISIBLE,
        answered([
            ["AH"],
            ["#", "A", ".", "H", "."],
            ["A...", ".##.", "...H"],
            ["A#...", ".#.#.", ".#.#H", "...#."],
            ["..#H", "A.#.", "..#.", "...."],
        ]),
        [],
    ),
    (
        "test_no_walk",
        "No walk",
        "Where no walk ends at the hut, the answer is -1",
        VISIBLE,
        answered([["A.#.H"], ["A.", "##", ".H"], ["A.#", ".#.", "#.H"], ["A#.H", "~..."]]),
        [],
    ),
    (
        "test_mist_on_the_way",
        "Mist",
        "The mist spreads, and who comes too late or in the same minute does not get through",
        VISIBLE,
        answered([
            ["A..~..H"],
            ["A......H", "###.####", "###~####"],
            ["A.....H", "##.####", "##~####"],
            ["A.....H", "##.####", "##.####", "##~####"],
            ["A.....H", "#######", "~~~~~~~"],
        ]),
        [],
    ),
    (
        "test_lantern",
        "Lantern",
        "With a lantern, a walk can go through the mist",
        VISIBLE,
        answered([
            ["Ao..~..H"],
            ["o.A..~.H"],
            ["A.o.~.H"],
            ["A.....", ".####.", "o~...H"],
        ]),
        [],
    ),
    (
        "test_hut_in_time",
        "Hut",
        "The mist may reach the hut in the minute of the last step, but not before",
        VISIBLE,
        answered([["A..H..~"], ["A..H.~"], ["A..H...~"], ["AH~"]]),
        [],
    ),
    (
        "test_rocks_and_edges",
        "Walk",
        "Small maps without mist",
        HIDDEN,
        drawn("test_rocks_and_edges"),
        twin("rocks_and_edges", 3),
    ),
    (
        "test_mist_race",
        "Mist",
        "Small maps with mist and no lantern",
        HIDDEN,
        drawn("test_mist_race"),
        twin("mist_race", 3),
    ),
    (
        "test_lantern_detours",
        "Lantern",
        "Small maps with mist and lanterns",
        HIDDEN,
        drawn("test_lantern_detours"),
        twin("lantern_detours", 3),
    ),
    (
        "test_last_minute",
        "Hut",
        "The mist and the walk come to the hut at nearly the same time",
        HIDDEN,
        drawn("test_last_minute"),
        twin("last_minute", 3),
    ),
    (
        "test_long_way",
        "Large",
        "One way that winds through a large map",
        HIDDEN,
        drawn("test_long_way"),
        twin("snake", 3, 31, 50),
    ),
    (
        "test_wide_moor",
        "Large",
        "A large map with many ways",
        HIDDEN,
        drawn("test_wide_moor"),
        twin("wide", 3, 20, 24),
    ),
]


def lines(ops):
    """One operation on each line, so that a change shows in a diff."""
    rows = [json.dumps(op, separators=(",", ":")) for op in ops]
    return "[\n        " + ",\n        ".join(rows) + "\n      ]"


def document():
    blocks = []
    for name, category, description, visible, ops, twin_ops in CASES:
        fields = [
            f'"name": {json.dumps(name)}',
            f'"category": {json.dumps(category)}',
            f'"description": {json.dumps(description)}',
            f'"visible": {json.dumps(visible)}',
            f'"ops": {lines(ops)}',
        ]
        if twin_ops:
            fields.append(f'"twin": {lines(twin_ops)}')
        blocks.append("    {\n      " + ",\n      ".join(fields) + "\n    }")
    return '{\n  "cases": [\n' + ",\n".join(blocks) + "\n  ]\n}\n"


if __name__ == "__main__":
    sys.stdout.write(document())
