"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from collections import Counter
from pathlib import Path

# The hidden inputs that a session draws are these with other levels.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, drawn = GENERATOR["script"], GENERATOR["generate"](20_261_129)


def answered(calls):
    """The calls with the answers of a model, which knows as many stations as the calls make."""
    made, ops, model = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "Station":
            model = args[0], Counter()
            made.append(model)
        elif name.startswith("Station@"):
            model = made[int(name.partition("@")[2]) - 1]
        elif name == "add":
            op.append(add(*model, *args))
        else:
            op.append(middle(model[1], name == "send"))
        ops.append(op)
    return ops


def add(room, held, level):
    """The model counts how often it holds each level."""
    fits = held.total() < room
    held[level] += fits
    return fits


def middle(held, taking):
    if not held.total():
        return None
    before = (held.total() - 1) // 2
    for level in sorted(held):
        if before < held[level]:
            held[level] -= taking
            return level
        before -= held[level]


def play(text):
    """A case from a script such as "c2 a10 m": room for two, add(10), then middle()."""
    return answered(script(text))


def made(kind, *numbers):
    """A case of one of the generator's kinds with these numbers, and with levels of its own."""
    return answered(GENERATOR["exchanged"](GENERATOR[kind](*numbers), random.Random(8)))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_first_readings",
        "Basic",
        "The middle of one, of two and of three readings",
        VISIBLE,
        play("c5 a40 m a20 m a90 m"),
        [],
    ),
    (
        "test_even_number",
        "Basic",
        "With an even number of readings the lower of the two in the middle is taken",
        VISIBLE,
        play("c6 a70 a30 m a50 a60 m a10 a20 m"),
        [],
    ),
    (
        "test_equal_levels",
        "Equal levels",
        "Readings of the same level count for themselves, and one send takes one of them",
        VISIBLE,
        play("c6 a15 a35 a35 m a35 m a15 a15 m s m s m s m s m s m s m"),
        [],
    ),
    (
        "test_send_takes_one",
        "Send",
        "Middle leaves the reading where it is, send takes it out",
        VISIBLE,
        play("c5 a11 a44 a33 a55 a22 m m s m s m s m s m"),
        [],
    ),
    (
        "test_no_reading",
        "Edge Case",
        "Without a reading both answers are null, and the station can be used afterwards",
        VISIBLE,
        # A small run makes the same calls.
        play("c2 m s m a7 m s m s s m a9 m s s m"),
        [],
    ),
    (
        "test_no_room",
        "Edge Case",
        "A full station refuses readings until one was sent",
        VISIBLE,
        play("c3 a60 a61 a62 a10 m s a80 a81 m s m a12 m c1 a5 a6 m s a7 m"),
        [],
    ),
    (
        "test_two_stations",
        "Independence",
        "Three stations in use at the same time",
        HIDDEN,
        answered(drawn["test_two_stations"]),
        play(
            "c2 m a50 a80 a30 m c3 m a20 m @1 s m a10 m s s m @2 a30 a40 a70 a90 m s m s m c1 m s a60 a65 @2"
            " s m s @1 a70 a75 m s @3 m s m"
            " c5 a31 a33 a35 a37 a39 m s m s m s m"
        ),
    ),
    (
        "test_below_zero",
        "Levels",
        "Levels below zero, and zero itself",
        HIDDEN,
        answered(drawn["test_below_zero"]),
        play(
            "c7 a-20 m a-50 m a-10 m a0 m a30 m a0 m s m s m a-70 m c2 a0 m s m a-60 a0 m s m"
            " c2 a-1 a0 a-2 a0 a2 m s m s m c4 a2 a2 a3 m a0 m"
            " c7 a-1 a-2 a2 a0 a1 a-3 a3 m s s s s s s s m"
        ),
    ),
    (
        "test_few_levels",
        "Equal levels",
        "Many readings of few levels, sent one by one",
        HIDDEN,
        answered(drawn["test_few_levels"]),
        made("few_levels", 8, 3),
    ),
    (
        "test_rise_and_fall",
        "Send",
        "Levels that rise and fall, with sends in between, until none is left",
        HIDDEN,
        answered(drawn["test_rise_and_fall"]),
        made("rise_and_fall", 6),
    ),
    (
        "test_full_again",
        "Edge Case",
        "A station that is filled, half emptied and filled again",
        HIDDEN,
        answered(drawn["test_full_again"]),
        made("full_again", 4, 3),
    ),
    (
        "test_long_mix",
        "Stress",
        "2,000 mixed calls with up to 700 readings",
        HIDDEN,
        answered(drawn["test_long_mix"]),
        made("long_mix", random.Random(5), 12, 20, 60),
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
