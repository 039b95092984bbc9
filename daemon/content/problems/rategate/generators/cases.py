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
script, drawn = GENERATOR["script"], GENERATOR["generate"](20_261_129)


def answered(calls):
    """The calls with the answers of a model, which looks through all visits at each call."""
    made, gate, ops = [], None, []
    for name, args in calls:
        op = [name, args]
        if name == "RateGate":
            gate = (*args, [])
            made.append(gate)
        elif name.startswith("RateGate@"):
            gate = made[int(name.partition("@")[2]) - 1]
        else:
            limit, window, visits = gate
            badge, now = args
            room = limit - sum(who == badge and now in range(t, t + window) for who, t in visits)
            if name == "enter" and room:
                visits.append((badge, now))
            op.append(room > 0 if name == "enter" else room)
        ops.append(op)
    return ops


def play(text):
    return answered(script(text))


def made(kind, *numbers):
    """A case of one of the generator's kinds from a seed of its own."""
    return answered(GENERATOR[kind](random.Random(77), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_first_visits",
        "Basic",
        "Visits are admitted up to the limit",
        VISIBLE,
        play("2/30 7@0 7@12 7@20 7@29"),
        [],
    ),
    (
        "test_free_places",
        "Questions",
        "The free visits go down with each visit and come back",
        VISIBLE,
        play("3/20 f4@5 f4@5 4@5 f4@5 4@6 4@8 f4@9 4@9 f4@9 f4@24 f4@25 f4@27 4@27 f4@90"),
        [],
    ),
    (
        "test_window_edges",
        "Window",
        "A visit counts in its last minute and not in the next",
        VISIBLE,
        play("2/10 3@14 3@17 3@23 3@24 3@26 3@27 f3@33 f3@34"),
        [],
    ),
    (
        "test_turned_away",
        "Turned away",
        "A visit that was turned away does not count later",
        VISIBLE,
        play("1/15 5@2 5@9 5@16 5@17 5@18 5@30 5@32"),
        [],
    ),
    (
        "test_badges_apart",
        "Badges",
        "Two badges come in turn",
        VISIBLE,
        play("2/10 21@4 22@4 f21@5 22@5 f21@5 21@6 21@7 22@8 f23@8 21@14 22@15"),
        [],
    ),
    (
        "test_same_minute",
        "Badges",
        "One badge comes several times in one minute",
        VISIBLE,
        play("3/5 8@6 f8@6 8@6 f8@6 8@6 8@6 8@11 f8@11"),
        [],
    ),
    (
        "test_sliding",
        "Window",
        "One badge over a long time",
        HIDDEN,
        answered(drawn["test_sliding"]),
        made("sliding", 1),
    ),
    (
        "test_two_gates",
        "Gates",
        "Two gates are used in turn",
        HIDDEN,
        answered(drawn["test_two_gates"]),
        play(
            "2/12 1@0 1@1 2/12 1@0 f1@2 1@2 1@3 @1 f1@3 1@4 2@4 @2 f2@5 @1 1@12 1@12"
            " 1/30 2/4 1@15 1@16 f1@19 @3 1@15 1@20 f1@20 2@21 @4 1@21 f1@21 @3 f2@22 1@45"
        ),
    ),
    (
        "test_one_visit",
        "Limits",
        "One visit at a time, and a window of one minute",
        HIDDEN,
        answered(drawn["test_one_visit"]),
        made("one_visit"),
    ),
    (
        "test_mixed",
        "Mixed",
        "Many badges at two gates",
        HIDDEN,
        answered(drawn["test_mixed"]),
        made("mixed", 1),
    ),
    (
        "test_far_times",
        "Limits",
        "Long windows and late times",
        HIDDEN,
        answered(drawn["test_far_times"]),
        made("far_times"),
    ),
    (
        "test_long_day",
        "Stress",
        "1,500 calls with a long window",
        HIDDEN,
        answered(drawn["test_long_day"]),
        answered(
            script(
                "150/1000000 f4@8"
                + " 5@9" * 120
                + " f5@10"
                + " 5@500011" * 40
                + " f5@1000008 f5@1000009 5@1000009 f5@1000010 6@1000012 6@1000012 f6@1000012"
                " f6@2000011 f6@2000012 7@2000020 7@2000020 7@2000020 7@5000025 f7@5000025"
            )
        ),
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
