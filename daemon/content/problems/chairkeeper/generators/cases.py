"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are these with other times.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, drawn = GENERATOR["script"], GENERATOR["generate"](20_261_129)


def answered(calls):
    """The calls with the answers of a model, which knows as many books as the calls make."""
    made, ops, ends = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "Keeper":
            # For each chair the time at which its hire ends; a free one has an end that has passed.
            ends = [-1] * args[0]
            made.append(ends)
        elif name.startswith("Keeper@"):
            ends = made[int(name.partition("@")[2]) - 1]
        else:
            op.append(MODEL[name](ends, *args))
        ops.append(op)
    return ops


def take(ends, now, until):
    for at, end in enumerate(ends):
        if end <= now < until:
            ends[at] = until
            return at + 1
    return 0


def renew(ends, now, chair, until):
    hired = chair <= len(ends) and ends[chair - 1] > now
    if hired and until > now:
        ends[chair - 1] = until
    return hired and until > now


def leave(ends, now, chair):
    hired = chair <= len(ends) and ends[chair - 1] > now
    if hired:
        ends[chair - 1] = now
    return hired


MODEL = {
    "take": take,
    "renew": renew,
    "leave": leave,
    "free": lambda ends, now: sum(end <= now for end in ends),
}


def play(text):
    """A case from a script such as "k2 1t9 2f": two chairs, take(1, 9), then free(2)."""
    return answered(script(text))


def made(kind, *numbers):
    """A case of one of the generator's kinds with these numbers, and with times of its own."""
    return answered(GENERATOR["exchanged"](GENERATOR[kind](*numbers), random.Random(8)))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_lowest_first",
        "Basic",
        "The lowest free chair is taken first",
        VISIBLE,
        play("k4 1f 1t50 1t60 2t70 3f 4l2 4f 5l1 6t80 6f 7t80 7t80 7f"),
        [],
    ),
    (
        "test_none_free",
        "Basic",
        "When no chair is free, the answer is 0",
        VISIBLE,
        play("k2 1t40 1t30 2t50 2f 3l1 3t60 3t60 30t45 31t46 k1 1t9 2t8 9t10"),
        [],
    ),
    (
        "test_end_has_come",
        "Time",
        "At its end a hire is over, and several may end between two calls",
        VISIBLE,
        play("k3 10t20 10t25 10t20 19f 20f 20t22 21f 22f 24f 25f 25t30 25t28 25t29 40f 40t41 40t42"),
        [],
    ),
    (
        "test_renewed",
        "Renew",
        "Only the new end counts, be it later or earlier",
        VISIBLE,
        play("k2 1t10 1t20 2r1,15 10f 11r2,13 12f 13f 13t30 15f 15t16 15t40 16f 17r1,18 18t19 19r2,20 20f 40f"),
        [],
    ),
    (
        "test_left_early",
        "Leave",
        "An end agreed on before means nothing for the next guest",
        VISIBLE,
        play("k2 1t10 2l1 3t30 10f 10t12 11f 12f 29f 30f 31t40 32t50 33l1 34t60 40f 45l2 46t47 50f"),
        [],
    ),
    (
        "test_refused",
        "Refused calls",
        "Calls that cannot be done change nothing",
        VISIBLE,
        play("k2 5t5 5t3 5f 5l1 5r1,9 6t9 6l3 6r3,8 7r1,7 7r1,6 7f 8l1 8l1 8r1,9 8t12 9f 12r1,15 12l1 12f"),
        [],
    ),
    (
        "test_three_books",
        "Independence",
        "Three books in use at the same time",
        HIDDEN,
        answered(drawn["test_three_books"]),
        play(
            "k1 1t9 k2 1f 1t7 @1 2f 2t8 k3 2t8 2t4 2f @2 3t5 3f @1 3l1 3f @3 4f 4t9 @2 5f 5l1 @1 6t8 6f @2"
            " 6t8 6f @3 8f @1 8f @2 8f"
            " k2 8t10 8t10 9l3 9l3 10f 10l1"
        ),
    ),
    (
        "test_second_thoughts",
        "Renew",
        "Hires that are renewed several times, to later and to earlier ends",
        HIDDEN,
        answered(drawn["test_second_thoughts"]),
        play(
            "k3 1t20 1t30 2r1,25 3r2,10 4t50 5f 10f 10t60 20f 20t22 21r1,40 22f 25f 26r1,28 27r1,29 28f"
            " 29f 29t31 30f 31t32 31r2,33 33f 50f 60f k1 61t70 62r1,70 63f 69t80 70t80"
        ),
    ),
    (
        "test_next_guest",
        "Leave",
        "Chairs that are left early and taken again at once",
        HIDDEN,
        answered(drawn["test_next_guest"]),
        play(
            "k2 1t20 2l1 3t40 4f 20f 20t25 21l2 22t60 25f 30l1 31t35 32r1,50 35f 36f 40f 41l1 42t43 43f 50f"
            " 51l2 51t52 60f 61t62 62f 62t70 62t71 62t72 63l1 63l1 72f 72t80 73r1,75 75f"
        ),
    ),
    (
        "test_refused_calls",
        "Refused calls",
        "Ends that have passed, chairs that are free, chairs that do not exist",
        HIDDEN,
        answered(drawn["test_refused_calls"]),
        play(
            "k2 3t3 3t2 3f 3l2 3r2,8 3t9 4r2,8 4r1,4 4r1,2 4l5 4r5,9 4f 5t6 5t6 6r2,7 6l2 6f 7l1 7l1 7r1,9"
            " 7t8 8r1,12 8l1 8f 8t20"
            " 20f 20t22 20t22 30f 30t31 31t33 31t33 32l2 32l1 33t40 k1 0f 0t1 0f 1t2"
        ),
    ),
    (
        "test_many_ends",
        "Time",
        "Many hires that end in groups",
        HIDDEN,
        answered(drawn["test_many_ends"]),
        made("many_ends", 12),
    ),
    (
        "test_long_mix",
        "Stress",
        "1,900 mixed calls on 250 chairs",
        HIDDEN,
        answered(drawn["test_long_mix"]),
        made("long_mix", random.Random(1), 10, 110),
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
