"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import sys
from collections import OrderedDict


class Case:
    """Operations on one or more caches, with the answers of a model."""

    def __init__(self, capacity):
        self.made = []
        self.ops = []
        self.make(capacity)

    def make(self, capacity):
        """A further cache, to which the next calls go."""
        self.capacity, self.model = capacity, OrderedDict()
        self.made.append((self.capacity, self.model))
        self.ops.append(["LRUCache", [capacity]])
        return self

    def back(self, number):
        """Back to a cache that was made earlier, counted from 1."""
        self.capacity, self.model = self.made[number - 1]
        self.ops.append([f"LRUCache@{number}", []])
        return self

    def put(self, key, value):
        self.model[key] = value
        self.model.move_to_end(key)
        if len(self.model) > self.capacity:
            self.model.popitem(last=False)
        self.ops.append(["put", [key, value]])
        return self

    def get(self, key):
        if key in self.model:
            self.model.move_to_end(key)
        self.ops.append(["get", [key], self.model.get(key, -1)])
        return self


def play(capacity, script):
    """A case from a script such as "p1=10 g1": put(1, 10), then get(1); "c3" makes a cache with room
    for three, "@1" goes back to the first one."""
    case = Case(capacity)
    for word in script.split():
        if word[0] == "p":
            key, value = word[1:].split("=")
            case.put(int(key), int(value))
        elif word[0] == "c":
            case.make(int(word[1:]))
        elif word[0] == "@":
            case.back(int(word[1:]))
        else:
            case.get(int(word[1:]))
    return case.ops


def capacity_large(capacity):
    case = Case(capacity)
    for key in range(capacity):
        case.put(key, 2 * key)
    for key in range(capacity):
        case.get(key)
    case.put(capacity, 2 * capacity)
    return case.get(0).get(1).get(capacity).ops


def repeated(operations, capacity, other, keys, seed):
    """Mixed operations on two caches in turn, by a linear congruential generator, high bits only.

    Keys and values lie on both sides of zero."""
    case = Case(capacity).make(other)
    state, at = seed, 2
    for step in range(operations):
        state = (1103515245 * state + 12345) % 2**31
        if (state >> 20) % 8 == 0:
            at = 3 - at
            case.back(at)
        key = (state >> 16) % keys - keys // 3
        value = step - operations // 2
        if (state >> 12) % 2 and value != -1:
            case.put(key, value)
        else:
            case.get(key)
    return case.ops


def same_key(key, puts, other):
    case = Case(2)
    for value in range(puts):
        case.put(key, value)
    return case.get(key).put(other, other).get(key).get(other).ops


def alternating(a, b, c, rounds):
    case = Case(2)
    for turn in range(rounds):
        case.put(a, turn).put(b, 1000 + turn).get(a).get(b)
    return case.get(a).put(c, -5).get(b).get(a).get(c).ops


def randomized(operations, capacity, keys, seed):
    """`random()` alone is promised to give the same numbers in every version of Python."""
    draw = random.Random(seed)
    case = Case(capacity)
    for step in range(operations):
        key = 1 + int(draw.random() * keys)
        if draw.random() < 0.5:
            case.put(key, step)
        else:
            case.get(key)
    return case.ops


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_basic_get_miss",
        "Basic",
        "Get from an empty cache returns -1",
        VISIBLE,
        play(2, "g1"),
        [],
    ),
    (
        "test_basic_put_get",
        "Basic",
        "Put then get returns the value",
        VISIBLE,
        play(2, "p1=1 p2=2 g1 g2"),
        [],
    ),
    (
        "test_update_existing",
        "Update",
        "Updating a key replaces its value, evicts nothing and makes it most recent",
        VISIBLE,
        # Updating the oldest key cannot show an eviction of the oldest, so the other one follows.
        play(2, "p1=1 p2=2 p1=10 g1 g2 p2=20 g1 g2 p1=11 p3=3 g2 g1 g3"),
        [],
    ),
    (
        "test_eviction_order_simple",
        "Eviction",
        "The least recently used key is evicted first",
        VISIBLE,
        play(2, "p1=1 p2=2 p3=3 g1 g2 g3"),
        [],
    ),
    (
        "test_eviction_order_complex",
        "Eviction",
        "A sequence of several evictions",
        HIDDEN,
        # The example that everybody knows, a longer sequence on a cache of its own, then two caches
        # at once, with numbers on both sides of zero.
        play(
            2,
            "p1=1 p2=2 g1 p3=3 g2 p4=4 g1 g3 g4"
            " c3 p1=10 p2=20 p3=30 g1 p4=40 g2 p3=33 p5=50 g1 g4 g3 g5 p6=60 g4 g3 g5 g6"
            " p5=55 g3 p7=70 g6 g5 g3 g7"
            " c1 p4=0 c3 g4 p-5=-7 g-5 p0=8 p4=9 g-5 g0 g4 @3 g4 g0 p-5=51 g4 g-5 @4 p6=60 g-5 g0 g6"
            " p0=9 @3 g0 g-5 @4 g0 p7=-70 g4 g6 g7",
        ),
        play(
            3,
            "p7=70 p8=80 p9=90 g7 p4=40 g8 p9=99 p5=50 g7 g4 g9 g5 p9=91 g4 p6=60 g5 g9 g6"
            " c1 p3=0 c2 g3 p-2=-6 g-2 p0=7 g-2 g0 @2 g3 g0 p-2=20 g3 g-2 @3 p5=50 g-2 g0 g5 @2 g-2",
        ),
    ),
    (
        "test_get_updates_recency",
        "Recency",
        "Get makes a key the most recent",
        VISIBLE,
        play(2, "p1=1 p2=2 g1 p3=3 g2 g1 g3"),
        [],
    ),
    (
        "test_capacity_one",
        "Edge Case",
        "A capacity of 1 works",
        VISIBLE,
        play(1, "p1=1 g1 p2=2 g1 g2 p2=3 g2"),
        [],
    ),
    (
        "test_capacity_large",
        "Edge Case",
        "A capacity of 1000 works",
        HIDDEN,
        capacity_large(1000),
        capacity_large(6),
    ),
    (
        "test_repeated_operations",
        "Stress",
        "10,000 mixed operations",
        HIDDEN,
        repeated(10_000, 100, 7, 200, 20_260_105),
        repeated(40, 3, 2, 6, 272),
    ),
    (
        "test_all_same_key",
        "Edge Case",
        "One key updated over and over",
        HIDDEN,
        same_key(1, 1000, 2),
        same_key(5, 4, 6),
    ),
    (
        "test_alternating_access",
        "Pattern",
        "Two keys used in turn",
        HIDDEN,
        alternating(1, 2, 3, 50),
        alternating(7, 4, 9, 2),
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
