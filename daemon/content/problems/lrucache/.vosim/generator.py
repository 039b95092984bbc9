"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its numbers do: they are exchanged for others in the
same order and on the same side of zero; and of the long mixed case also which call comes when.
"""

import math
import random

NUMBER_MAX = 100_000
# Where a case has few keys they stay small, as in the package's own cases.
KEY_MAX, KEYS_FEW = 500, 250

# "c2" makes a cache with room for two, "@1" goes back to the first one, "p1=10" is put(1, 10) and
# "g1" is get(1).
COMPLEX = (
    # The example that everybody knows, a longer sequence on a cache of its own, then two caches at
    # once, with numbers on both sides of zero.
    "c2 p1=1 p2=2 g1 p3=3 g2 p4=4 g1 g3 g4"
    " c3 p1=10 p2=20 p3=30 g1 p4=40 g2 p3=33 p5=50 g1 g4 g3 g5 p6=60 g4 g3 g5 g6"
    " p5=55 g3 p7=70 g6 g5 g3 g7"
    " c1 p4=0 c3 g4 p-5=-7 g-5 p0=8 p4=9 g-5 g0 g4 @3 g4 g0 p-5=51 g4 g-5 @4 p6=60 g-5 g0 g6"
    " p0=9 @3 g0 g-5 @4 g0 p7=-70 g4 g6 g7"
    # A key is stored again with the value it has; then keys and values that differ beyond 32 bits.
    " c3 p1=1 p2=2 p3=3 p2=2 g1 p4=4 g3 g2 g1 g4"
    " c3 p6=4294967300 p4294967302=4 p-4294967302=-4294967300 g6 g4294967302 g-4294967302"
    # A key is stored again with a smaller value, then with 0.
    " c2 p1=5 p1=2 g1 p1=0 g1"
    # A cache is made between two uses of another, which keeps its order.
    " c2 p1=1 p2=2 g1 c1 p9=9 @8 g2 p3=3 g1 g2 g3"
)


def generate(seed):
    draw = random.Random(seed)
    cases = hidden(draw.randrange(2**31))
    settle(cases["test_repeated_operations"])
    return {name: renumbered(calls, draw) for name, calls in cases.items()}


def settle(calls):
    """What the mixed case says of zero and of the oldest key is not left to chance: zero is a key
    that is found, and no value; a value that replaces another is larger; the oldest key is read."""
    for name, args in calls:
        if name == "put" and args[1] == 0:
            args[1] = 1
    most = max(args[1] for name, args in calls if name == "put")
    calls += [["put", [0, most + 1]], ["get", [0]], ["LRUCache", [2]]]
    calls += [["put", [1, most + 2]], ["put", [2, most + 3]], ["get", [1]], ["put", [3, most + 4]]]
    calls += [["get", [key]] for key in (1, 2, 3)]


def hidden(seed):
    """The drawn cases with the numbers in which they were thought of."""
    return {
        "test_eviction_order_complex": script(COMPLEX),
        "test_capacity_large": capacity_large(1000),
        "test_repeated_operations": repeated(10_000, 100, 7, 200, seed),
        "test_all_same_key": same_key(1, 1000, 2),
        "test_alternating_access": alternating(1, 2, 3, 50),
    }


def script(text):
    return [call(word) for word in text.split()]


def call(word):
    kind, rest = word[0], word[1:]
    if kind == "c":
        return ["LRUCache", [int(rest)]]
    if kind == "@":
        return ["LRUCache" + word, []]
    if kind == "p":
        return ["put", [int(number) for number in rest.split("=")]]
    return ["get", [int(rest)]]


def capacity_large(capacity):
    calls = [["LRUCache", [capacity]]]
    calls += (["put", [key, 2 * key]] for key in range(capacity))
    calls += (["get", [key]] for key in range(capacity))
    return calls + [["put", [capacity, 2 * capacity]]] + [["get", [key]] for key in (0, 1, capacity)]


def repeated(operations, capacity, other, keys, seed):
    """Mixed calls on two caches in turn, by a linear congruential generator, high bits only.

    Keys and values lie on both sides of zero."""
    calls = [["LRUCache", [capacity]], ["LRUCache", [other]]]
    state, at = seed, 2
    for step in range(operations):
        state = (1103515245 * state + 12345) % 2**31
        if (state >> 20) % 8 == 0:
            at = 3 - at
            calls.append(["LRUCache@%d" % at, []])
        key = (state >> 16) % keys - keys // 3
        value = step - operations // 2
        if (state >> 12) % 2 and value != -1:
            calls.append(["put", [key, value]])
        else:
            calls.append(["get", [key]])
    return calls


def same_key(key, puts, other):
    calls = [["LRUCache", [2]]] + [["put", [key, value]] for value in range(puts)]
    return calls + [["get", [key]], ["put", [other, other]], ["get", [key]], ["get", [other]]]


def alternating(a, b, c, rounds):
    calls = [["LRUCache", [2]]]
    for turn in range(rounds):
        calls += [["put", [a, turn]], ["put", [b, 1000 + turn]], ["get", [a]], ["get", [b]]]
    return calls + [["get", [a]], ["put", [c, -5]], ["get", [b]], ["get", [a]], ["get", [c]]]


def renumbered(calls, draw):
    """The same calls with other keys and values; how many keys a cache holds stays."""
    used = [args for name, args in calls if not name.startswith("LRUCache")]
    keys = {args[0] for args in used}
    keys = exchange(keys, draw, KEY_MAX if len(keys) < KEYS_FEW else NUMBER_MAX)
    values = exchange({value for args in used for value in args[1:]}, draw, NUMBER_MAX)
    return [
        [name, args if name.startswith("LRUCache") else
         [keys[args[0]], *(values[value] for value in args[1:])]]
        for name, args in calls
    ]


def exchange(numbers, draw, most):
    """Other numbers for these, below a bound. Zero stays, and none becomes -1, which says that a key
    is missing. What a number has beyond 32 bits it keeps."""
    low = sorted({narrow(number) for number in numbers if number < 0})
    high = sorted({narrow(number) for number in numbers if number > 0})
    new_low = sorted(-number for number in draw.sample(range(2, most), len(low)))
    new_high = sorted(draw.sample(range(2, most), len(high)))
    new = {0: 0, **dict(zip(low, new_low)), **dict(zip(high, new_high))}
    return {number: number - narrow(number) + new[narrow(number)] for number in numbers}


def narrow(number):
    """What a number has within 32 bits, on the same side of zero."""
    return int(math.copysign(abs(number) % 2**32, number))
