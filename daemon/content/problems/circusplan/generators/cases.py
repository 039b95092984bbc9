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


def model(steps, needs):
    """Strikes out each step that was done, wherever it is named as a need."""
    open_needs = {(step, other) for step, other in needs if {step, other} <= set(steps)}
    answer = []
    while True:
        waiting = {step for step, _ in open_needs}
        free = sorted(set(steps) - waiting - set(answer))
        if not free:
            return answer
        answer.append(free[0])
        open_needs = {(step, other) for step, other in open_needs if other != free[0]}


def answered(calls):
    return [[name, args, model(*args)] for name, args in calls]


def play(*plans):
    """A case from texts such as "b a c : a<b c<a", where a<b says that a needs b."""
    calls = []
    for text in plans:
        steps, _, pairs = text.partition(":")
        calls.append(["plan", [steps.split(), [pair.split("<") for pair in pairs.split()]]])
    return answered(calls)


def made(kind, seed, *numbers):
    """A case of one of the generator's kinds."""
    return answered(GENERATOR[kind](random.Random(seed), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_no_needs",
        "Basic",
        "Steps that need nothing, in any order",
        VISIBLE,
        play("", "tent", "mud hay cart", "tents tent ten net"),
        [],
    ),
    (
        "test_needs",
        "Basic",
        "Steps that need one or more others",
        VISIBLE,
        play(
            "ring tent : ring<tent",
            "ring tent : tent<ring",
            "pin oar nut : pin<nut",
            "bar car den elk : bar<den bar<car",
            "dog cat bat ant : ant<bat bat<cat cat<dog",
        ),
        [],
    ),
    (
        "test_first_name_next",
        "Order",
        "Several steps are free, and a step that becomes free can come before them",
        VISIBLE,
        play(
            "oak elm fir ash : ash<fir",
            "nut fig plum date : date<fig fig<nut",
            "sun moon star sky : moon<sky star<moon",
            "f e d c b a : a<d b<e c<f",
        ),
        [],
    ),
    (
        "test_circles",
        "Circle",
        "Steps in circles, before them, behind them and beside them",
        VISIBLE,
        play(
            "egg hen : egg<hen hen<egg",
            "pan pot lid cup : pot<lid lid<pot cup<pot",
            "c d e b a : a<b b<c c<a c<d e<a",
            "rug bed rod : bed<bed",
            "ice hat gas : gas<hat hat<hat ice<gas",
        ),
        [],
    ),
    (
        "test_pairs_again",
        "Pairs",
        "The same pair is in the list several times",
        VISIBLE,
        play("car bus : bus<car bus<car", "zoo yak ox : ox<zoo yak<ox ox<zoo ox<zoo"),
        [],
    ),
    (
        "test_unknown_names",
        "Pairs",
        "Pairs with names that are no steps",
        VISIBLE,
        play("jam ham : ham<rye", "jam ham : rye<jam ham<jam", "tin pin : pin<pen pen<pin tin<pen pen<pen"),
        [],
    ),
    (
        "test_small_plans",
        "Mixed",
        "Short plans of all kinds",
        HIDDEN,
        answered(DRAWN["test_small_plans"]),
        made("small_plans", 5, 2),
    ),
    (
        "test_circle_plans",
        "Circle",
        "Plans with a larger circle in the middle",
        HIDDEN,
        answered(DRAWN["test_circle_plans"]),
        made("circle_plans", 6, 2),
    ),
    (
        "test_many_layers",
        "Large",
        "Very many layers, each of which needs the one before",
        HIDDEN,
        answered(DRAWN["test_many_layers"]),
        made("many_layers", 7, 5, 4),
    ),
    (
        "test_long_chain",
        "Large",
        "One long chain of steps",
        HIDDEN,
        answered(DRAWN["test_long_chain"]),
        made("long_chain", 8, 8),
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
