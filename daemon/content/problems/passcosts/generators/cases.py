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


def model(visits, kinds, free_every):
    """Deals out pass after pass: what it costs to have made so many visits with exactly so many."""
    if not visits:
        return 0
    made, number, sums = {0: 0}, 0, []
    while made:
        number += 1
        gift = free_every != 0 and number % free_every == 0
        further = {}
        for done, spent in made.items():
            for days, uses, price in kinds:
                good = [day for day in visits[done : done + uses] if day - visits[done] < days]
                reached, total = done + len(good), spent + (0 if gift else price)
                further[reached] = min(total, further.get(reached, total))
        sums += [further.pop(len(visits))] if len(visits) in further else []
        made = further
    return min(sums, default=-1)


def answered(plans):
    return [["pass_costs", list(plan), model(*plan)] for plan in plans]


def drawn(name):
    return answered(args for _, args in GENERATOR["generate"](20_261_129)[name])


def twin(kind, seed, *numbers):
    """Plans of one of the generator's kinds."""
    made = GENERATOR[kind](random.Random(seed), *numbers)
    return answered([made] if isinstance(made, tuple) else made)


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_days",
        "Days",
        "A pass is good from the day on which it begins to the last of its days",
        VISIBLE,
        answered([
            ([5], [[3, 9, 14]], 0),
            ([5, 6, 7], [[3, 9, 14]], 0),
            ([5, 6, 8], [[3, 9, 14]], 0),
            ([5, 6, 7, 8, 12], [[3, 9, 14]], 0),
        ]),
        [],
    ),
    (
        "test_uses",
        "Uses",
        "A pass is good for so many visits, also when several are on one day",
        VISIBLE,
        answered([
            ([3, 4, 5, 6], [[90, 3, 21]], 0),
            ([3, 3, 3], [[90, 2, 21]], 0),
            ([3, 3, 8, 8, 8], [[90, 4, 21]], 0),
        ]),
        [],
    ),
    (
        "test_best_mix",
        "Choice",
        "The cheapest plan is found where kinds must be mixed",
        VISIBLE,
        answered([
            ([1, 2, 3, 40], [[1, 1, 10], [3, 3, 24]], 0),
            ([1, 2, 3, 4], [[20, 3, 18], [20, 4, 26], [1, 1, 12]], 0),
            ([1, 2, 3, 4], [[20, 4, 90], [20, 3, 30], [1, 1, 11]], 0),
            ([1, 2, 3], [[20, 3, 18], [20, 5, 26]], 0),
            ([1, 2, 3], [[20, 5, 26], [20, 3, 18]], 0),
        ]),
        [],
    ),
    (
        "test_one_at_a_time",
        "Choice",
        "A pass that was replaced is not used again",
        VISIBLE,
        answered([
            ([10, 14, 15, 19], [[2, 9, 4], [12, 2, 6]], 0),
            ([20, 28, 29, 30, 44], [[3, 9, 10], [30, 2, 16]], 0),
        ]),
        [],
    ),
    (
        "test_free_pass",
        "Free",
        "Each n-th pass is free, whichever kind it is",
        VISIBLE,
        answered([
            ([1, 9, 17, 25, 33, 41, 49], [[1, 1, 13]], 3),
            ([1, 2, 3, 4, 5], [[1, 1, 13], [60, 9, 70]], 2),
            ([1, 2, 3, 4, 5], [[1, 1, 13], [60, 9, 70]], 0),
            ([1, 2], [[1, 1, 13]], 0),
            ([1, 2], [[1, 1, 13]], 10),
            ([2, 6, 7, 9], [[60, 1, 6], [60, 2, 9]], 2),
        ]),
        [],
    ),
    (
        "test_nothing",
        "Nothing",
        "Without visits nothing is paid; without kinds there is no plan",
        VISIBLE,
        answered([([], [[1, 1, 13]], 0), ([], [], 2), ([8, 9], [], 0)]),
        [],
    ),
    (
        "test_days_run_out",
        "Days",
        "Passes whose days run out",
        HIDDEN,
        drawn("test_days_run_out"),
        twin("days_run_out", 5),
    ),
    (
        "test_uses_run_out",
        "Uses",
        "Passes whose uses run out",
        HIDDEN,
        drawn("test_uses_run_out"),
        twin("uses_run_out", 5),
    ),
    (
        "test_free_passes",
        "Free",
        "Plans with free passes, and the same without",
        HIDDEN,
        drawn("test_free_passes"),
        twin("free_passes", 5),
    ),
    (
        "test_mixed_plans",
        "Mixed",
        "Plans in which all the rules meet",
        HIDDEN,
        drawn("test_mixed_plans"),
        twin("mixed_plans", 5),
    ),
    (
        "test_long_year",
        "Large",
        "A hundred and fifty visits",
        HIDDEN,
        drawn("test_long_year"),
        twin("long_year", 5, 40),
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
