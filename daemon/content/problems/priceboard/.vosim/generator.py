"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its stalls and prices do: they are exchanged for
others, 0 stays 0; and of the long cases also which call comes when.
"""

import random

STALL_MAX, PRICE_MAX = 1_000_000, 1_000_000

# "d2" makes a board that remembers two steps, "@1" goes back to the first one, "w5=70" writes 70
# for stall 5, "r5" reads it, "b" and "e" begin and end a group, "u" is undo and "y" is redo.
SCRIPTS = {
    "test_forgotten_steps": (
        "d9 w1=10 w1=20 w2=30 u u r1 w2=40 y r1 r2 u r2 y r2 y u u b w3=50 y e y r3 u b e y r3 r1"
        " u b r3 w1=60 e y u y u w1=70 w1=70 y u u y y y r1 u u u u u"
    ),
    "test_group_borders": (
        "d9 e w1=10 b b w1=20 e e w2=30 u r2 u r1 y b u y u r1 r2 e y r2 b e u b w3=40 b w3=50 u"
        " y e e u r3 r2 y r3 b w4=60 e b w4=70 e u r4 u r4 y y b w1=80 e w1=90 u u u r1 y r1"
        " u u u u u u u u u e u b w1=15 b w1=25 e u y u u"
    ),
    "test_same_stall": (
        "d9 w1=10 b w1=20 w1=30 w2=40 w1=50 w2=60 e r1 r2 u r1 r2 y r1 r2 b w1=70 w1=70 w1=0 w2=0"
        " e u r1 r2 y r1 r2 u u u u r1 r2 y y y r1 r2 w3=80 w3=80 u r3 u r3 y y b w4=90 w4=95"
        " w4=90 e u r4 y r4 b w3=95 w3=95 w3=95 e u y u r3"
    ),
    "test_depth_of_one": (
        "d1 w1=10 w1=20 u r1 u r1 y r1 y u w1=30 u u r1 b w1=40 w2=50 w2=60 e u r1 r2 u y r2 u y"
        " w3=70 u r3 u r2 y b w3=80 e w3=90 u u r3 y y r3"
    ),
    "test_two_boards": (
        "d1 w1=10 w1=20 d3 r1 u y w1=30 w2=40 u @1 r1 y r2 u r1 u @2 y r2 b @1 y r1 w1=50 u @2"
        " w1=60 u e u r1 @1 y @2 u u u @1 r1 r2 y"
    ),
}

# What a mixed day does not leave to chance.
CERTAIN = (
    "w4=90 u r4 w1=10 w1=20 u b e y u y u r1 b w2=30 e y w2=40 u w1=10 y b w1=40 w1=50 e u r1 y"
    " r1 b w1=60 b w2=70 e u b u e b e u w3=80 w3=80 u r3 y y r3 e e"
)


def generate(seed):
    draw = random.Random(seed)
    cases = {name: renumbered(script(text), draw) for name, text in SCRIPTS.items()}
    cases["test_long_history"] = renumbered(long_history(draw, 800), draw)
    cases["test_mixed_day"] = renumbered(mixed_day(draw, 5, 1_300, 6), draw)
    return cases


def script(text):
    return [call(word) for word in text.split()]


NAMES = {"b": "begin", "e": "end", "u": "undo", "y": "redo"}


def call(word):
    kind, rest = word[0], word[1:]
    if kind == "d":
        return ["PriceBoard", [int(rest)]]
    if kind == "@":
        return ["PriceBoard" + word, []]
    if kind == "w":
        return ["write", [int(number) for number in rest.split("=")]]
    if kind == "r":
        return ["read", [int(rest)]]
    return [NAMES[kind], []]


def mixed_day(draw, depth, number, stalls):
    """Mixed calls, with runs of undo and redo between the writes."""
    words = ["d%d" % depth, *CERTAIN.split()]
    while len(words) < number:
        kind = draw.random()
        stall = 1 + int(draw.random() * stalls)
        if kind < 0.35:
            words.append("w%d=%d" % (stall, 10 * int(draw.random() * 7)))
        elif kind < 0.55:
            words += ["u"] * (1 + int(draw.random() * 4)) + ["r%d" % stall]
        elif kind < 0.75:
            words += ["y"] * (1 + int(draw.random() * 4)) + ["r%d" % stall]
        else:
            words.append("bber"[int(draw.random() * 4)])
        if words[-1] == "r":
            words[-1] = "r%d" % stall
    words += ["e"] + ["w%d=%d" % (1 + at % 2, 5 + at) for at in range(depth + 2)]
    words += ["u"] * (depth + 2) + ["r1", "r2"] + ["y"] * (depth + 1) + ["r1", "r2"]
    return script(" ".join(words))


def long_history(draw, writes):
    """Many writes, far back and forward again; groups write one stall several times."""
    words = ["d1000"]
    for step in range(writes):
        if step % 50 == 20:
            words.append("b")
        in_group = 20 <= step % 50 <= 24
        words.append("w%d=%d" % (301 if in_group else 1 + int(draw.random() * 300), 1 + step))
        if step % 50 == 24:
            words.append("e")
    asked = ["r%d" % (1 + int(draw.random() * 300)) for _ in range(40)] + ["r301"]
    words += ["u"] * 400 + asked + ["y"] * 200 + asked + ["u"] * 250 + asked
    return script(" ".join(words))


def renumbered(calls, draw):
    """The same calls with other stalls and prices; equal ones stay equal."""
    used = [args for name, args in calls if name in ("write", "read")]
    stalls = sorted({args[0] for args in used})
    prices = sorted({price for args in used for price in args[1:] if price})
    stall = dict(zip(stalls, draw.sample(range(1, STALL_MAX), len(stalls))))
    price = {0: 0, **dict(zip(prices, draw.sample(range(1, PRICE_MAX), len(prices))))}
    return [
        [name, [stall[args[0]], *(price[number] for number in args[1:])]]
        if name in ("write", "read")
        else [name, args]
        for name, args in calls
    ]
