"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from collections import OrderedDict
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, drawn = GENERATOR["script"], GENERATOR["hidden"](20_260_105)


def answered(calls):
    """The calls with the answers of a model, which knows as many caches as the calls make."""
    made, ops, model = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "LRUCache":
            model = args[0], OrderedDict()
            made.append(model)
        elif name.startswith("LRUCache@"):
            model = made[int(name.partition("@")[2]) - 1]
        elif name == "put":
            put(*model, *args)
        else:
            op.append(get(model[1], *args))
        ops.append(op)
    return ops


def put(capacity, entries, key, value):
    entries[key] = value
    entries.move_to_end(key)
    if len(entries) > capacity:
        entries.popitem(last=False)


def get(entries, key):
    if key in entries:
        entries.move_to_end(key)
    return entries.get(key, -1)


def play(text):
    """A case from a script such as "c2 p1=10 g1": room for two, put(1, 10), then get(1)."""
    return answered(script(text))


def made(kind, *numbers):
    """A case of one of the generator's kinds with these numbers."""
    return answered(GENERATOR[kind](*numbers))


def randomized(operations, capacity, keys, seed):
    """`random()` alone is promised to give the same numbers in every version of Python."""
    draw = random.Random(seed)
    calls = [["LRUCache", [capacity]]]
    for step in range(operations):
        key = 1 + int(draw.random() * keys)
        calls.append(["put", [key, step]] if draw.random() < 0.5 else ["get", [key]])
    return answered(calls)


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_basic_get_miss",
        "Basic",
        "Get from an empty cache returns -1",
        VISIBLE,
        play("c2 g1"),
        [],
    ),
    (
        "test_basic_put_get",
        "Basic",
        "Put then get returns the value",
        VISIBLE,
        play("c2 p1=1 p2=2 g1 g2"),
        [],
    ),
    (
        "test_update_existing",
        "Update",
        "Updating a key replaces its value, evicts nothing and makes it most recent",
        VISIBLE,
        # Updating the oldest key cannot show an eviction of the oldest, so the other one follows.
        play("c2 p1=1 p2=2 p1=10 g1 g2 p2=20 g1 g2 p1=11 p3=3 g2 g1 g3"),
        [],
    ),
    (
        "test_eviction_order_simple",
        "Eviction",
        "The least recently used key is evicted first",
        VISIBLE,
        play("c2 p1=1 p2=2 p3=3 g1 g2 g3"),
        [],
    ),
    (
        "test_eviction_order_complex",
        "Eviction",
        "A sequence of several evictions",
        HIDDEN,
        answered(drawn["test_eviction_order_complex"]),
        play(
            "c3 p7=70 p8=80 p9=90 g7 p4=40 g8 p9=99 p5=50 g7 g4 g9 g5 p9=91 g4 p6=60 g5 g9 g6"
            " c1 p3=0 c2 g3 p-2=-6 g-2 p0=7 g-2 g0 @2 g3 g0 p-2=20 g3 g-2 @3 p5=50 g-2 g0 g5 @2 g-2"
            " c3 p7=7 p8=8 p9=9 p8=8 g7 p4=4 g9 g8 g7 g4"
            " c3 p5=4294967303 p4294967301=7 p-4294967301=-4294967303 g5 g4294967301 g-4294967301"
            " c2 p6=9 p6=4 g6 p6=0 g6 c2 p4=4 p5=5 g4 c1 p9=9 @7 g5 p6=6 g4 g5 g6",
        ),
    ),
    (
        "test_get_updates_recency",
        "Recency",
        "Get makes a key the most recent",
        VISIBLE,
        play("c2 p1=1 p2=2 g1 p3=3 g2 g1 g3"),
        [],
    ),
    (
        "test_capacity_one",
        "Edge Case",
        "A capacity of 1 works",
        VISIBLE,
        play("c1 p1=1 g1 p2=2 g1 g2 p2=3 g2"),
        [],
    ),
    (
        "test_capacity_large",
        "Edge Case",
        "A capacity of 1000 works",
        HIDDEN,
        answered(drawn["test_capacity_large"]),
        made("capacity_large", 6),
    ),
    (
        "test_repeated_operations",
        "Stress",
        "10,000 mixed operations",
        HIDDEN,
        answered(drawn["test_repeated_operations"]),
        made("repeated", 40, 3, 2, 6, 272),
    ),
    (
        "test_all_same_key",
        "Edge Case",
        "One key updated over and over",
        HIDDEN,
        answered(drawn["test_all_same_key"]),
        made("same_key", 5, 4, 6),
    ),
    (
        "test_alternating_access",
        "Pattern",
        "Two keys used in turn",
        HIDDEN,
        answered(drawn["test_alternating_access"]),
        made("alternating", 7, 4, 9, 2),
    ),
    (
        "test_deterministic_random",
        "Randomized",
        "100 random operations from a fixed seed",
        HIDDEN,
        randomized(100, 5, 10, 42),
        randomized(24, 3, 6, 156),
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
