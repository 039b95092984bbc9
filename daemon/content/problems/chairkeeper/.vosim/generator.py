"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its times do: they are exchanged for others in the same
order; and of the long mixed case also which call comes when.
"""

import random

# "k3" makes a book for three chairs, "@1" goes back to the first one, "5t9" is take(5, 9), "5r2,9" is
# renew(5, 2, 9), "5l2" is leave(5, 2) and "5f" is free(5).
THREE_BOOKS = (
    "k2 1t9 k3 1f 1t5 @1 2f 2t6 2t7 k1 2t4 @2 3t8 3f @1 3l1 3f @2 4f 4t9 4t9 @3 4f 4t8 @1 5t7 5f @2 5f"
    " 5t7 6l2 @3 7t9 7l2 8f @1 8f @2 8f 8t9 @3 8t9"
)
SECOND_THOUGHTS = (
    "k4 10t20 10t30 10t40 11r1,35 12r2,15 13r3,50 14f 15f 15t60 20f 20t70 20t80 30f 31r1,32 32f 32t90"
    " 33r1,95 34r1,36 35f 36f 36t41 37r1,39 38r1,44 39f 41f 44f 44t45 45t99 45r2,46 46t47 47f 50f"
    " k1 51t60 52r1,60 53f 59t70 60t70"
)
NEXT_GUEST = (
    "k3 10t20 10t30 11l1 12t50 13f 20f 20t40 21l2 22t60 30f 30t31 31f 40f 41l1 42t45 45f 46l1 47l2 48f"
    " 48t80 48t70 50f 60f 61l1 62t65 62r1,90 63l2 65f 66t67 67f 70f 71t72 80f 90f 91l1 91f"
)
REFUSED = (
    "k2 5t5 5t4 5f 5l1 5r1,9 5t8 6r2,9 6l2 6r3,9 6l3 6r1,6 6r1,5 6f 7t7 7t9 7t9 8r1,9 8l1 8f 8t9 9r1,12"
    " 9l2 9f 9t10 10t12 10t10 11l1 11l1 11r1,15 12r1,15 12l1 12f 12t20"
)
# Times that stay: a hire may begin at the first of them.
FIRST_MINUTE = "k1 0f 0t0 0l1 0t1 0f 1t9 2t9 2f"


def generate(seed):
    draw = random.Random(seed)
    cases = {name: exchanged(calls, draw) for name, calls in hidden(draw).items()}
    cases["test_refused_calls"] += script(FIRST_MINUTE)
    return cases


def hidden(draw):
    """The drawn cases with the times in which they were thought of."""
    return {
        "test_three_books": script(THREE_BOOKS),
        "test_second_thoughts": script(SECOND_THOUGHTS),
        "test_next_guest": script(NEXT_GUEST),
        "test_refused_calls": script(REFUSED),
        "test_many_ends": many_ends(320),
        "test_long_mix": long_mix(draw, 250, 1_900),
    }


def script(text):
    return [call(word) for word in text.split()]


def call(word):
    if word[0] == "k":
        return ["Keeper", [int(word[1:])]]
    if word[0] == "@":
        return ["Keeper" + word, []]
    sign = next(letter for letter in word if letter.isalpha())
    now, _, rest = word.partition(sign)
    name = {"t": "take", "r": "renew", "l": "leave", "f": "free"}[sign]
    return [name, [int(now), *map(int, rest.split(",") if rest else ())]]


def many_ends(chairs):
    """All chairs are hired out, many to the same end, and fall free in groups of several sizes."""
    calls = [["Keeper", [chairs]]]
    for at in range(chairs):
        calls.append(["take", [at, 1_000 + at * 7 % chairs // 5 * 100]])
    calls.append(["take", [chairs, 5_000]])
    # Of the chairs with high numbers some are left or kept, and those with low ones are not.
    now = chairs
    for chair in (chairs - 3, chairs - 20, chairs - 41):
        now += 2
        calls += [["renew", [now, chair, 9_500]], ["leave", [now + 1, chair - 1]]]
        calls += [["free", [now + 1]], ["take", [now + 1, 9_600]]]
    for now in (1_000, 1_100, 1_350, 1_700, 1_701):
        calls += [["free", [now]]] + [["take", [now, now + 400]]] * 3
    return calls + [["take", [9_000, 9_100]]] * 4 + [["free", [9_000]], ["free", [9_100]]]


def long_mix(draw, chairs, count):
    """All calls mixed, on times that lie close together or far apart."""
    calls, now = [["Keeper", [chairs]], ["free", [0]]], 0
    while len(calls) < count:
        now += int(draw.random() * 3)
        chance, chair = draw.random(), 1 + int(draw.random() * (chairs + 2))
        until = now - 1 + int(draw.random() * (4 if draw.random() < 0.2 else 4 * chairs))
        if chance < 0.45 or len(calls) < chairs:
            calls.append(["take", [now, max(0, until)]])
        elif chance < 0.7:
            calls.append(["renew", [now, chair, max(0, until)]])
        elif chance < 0.85:
            calls.append(["leave", [now, chair]])
        else:
            calls.append(["free", [now]])
    return calls + at_last(now + 5 * chairs)


def at_last(now):
    """What the mixed calls may have missed: all is free at first, and one guest follows another."""
    text = "0f 0t10 1l1 2t30 12f 13r1,40 31f 32r1,35 36f 37t38 50l1 51r1,60 52t52 53f"
    return [
        [name, [arg + now if at in TIMES[name] else arg for at, arg in enumerate(args)]]
        for name, args in script(text)
    ]


TIMES = {"take": (0, 1), "renew": (0, 2), "leave": (0,), "free": (0,)}


def exchanged(calls, draw):
    """The same calls with other times in the same order, most of them far apart."""
    times = sorted({args[at] for name, args in calls for at in TIMES.get(name, ())})
    new, last = {}, 0
    for time in times:
        last += 1 + int(draw.random() * 400_000)
        new[time] = last
    return [
        [name, [new[arg] if at in TIMES.get(name, ()) else arg for at, arg in enumerate(args)]]
        for name, args in calls
    ]
