"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its levels do: they are exchanged for others in the
same order and on the same side of zero; and of the long mixed case also which call comes when.
"""

import random

LEVELS = range(100_000_000, 1_000_000_000)

# "c2" makes a station with room for two, "@1" goes back to the first one, "a7" is add(7), "m" is
# middle() and "s" is send().
TWO_STATIONS = (
    "c3 m a5 a9 m c2 m s a4 m @1 a2 m a7 @2 a6 m a1 m @1 s m a8 a3 m c5 m a8 a1 @2 s m @3 m s"
    " @1 m s s @2 s m @3 a2 a4 a6 m @1 s m a6 m @3 s m"
)
BELOW_ZERO = (
    "c9 a-5 m a-8 m a-2 m a0 m a3 m a-1 m a0 m a1 m s m s m a-7 a-9 m s m s s m s s a-4 m"
    " c4 a0 m s m a-6 a0 m a-6 m s m a2 a4 m s m s m"
)
# Levels that stay, because they are next to zero and to each other. A full station refuses them as well.
NEXT_TO_ZERO = (
    "c3 a1 a0 m a-1 m a0 a-1 a1 m s m s m s m c5 a0 a0 a1 m a-1 m s m s m"
    # In a heap such levels stand side by side and below each other.
    " c8 a0 a-1 a3 a1 a2 a-2 a4 m s s s s s s s m"
)


def generate(seed):
    draw = random.Random(seed)
    cases = {name: exchanged(calls, draw) for name, calls in hidden(draw).items()}
    cases["test_below_zero"] += script(NEXT_TO_ZERO)
    return cases


def hidden(draw):
    """The drawn cases with the levels in which they were thought of."""
    return {
        "test_two_stations": script(TWO_STATIONS),
        "test_below_zero": script(BELOW_ZERO),
        "test_few_levels": few_levels(40, 3),
        "test_rise_and_fall": rise_and_fall(60),
        "test_full_again": full_again(12, 6),
        "test_long_mix": long_mix(draw, 700, 700, 2_000),
    }


def script(text):
    return [call(word) for word in text.split()]


def call(word):
    kind, rest = word[0], word[1:]
    if kind == "c":
        return ["Station", [int(rest)]]
    if kind == "@":
        return ["Station" + word, []]
    if kind == "a":
        return ["add", [int(rest)]]
    return [{"m": "middle", "s": "send"}[kind], []]


def few_levels(count, levels):
    """Many readings of few levels, which are then sent one by one."""
    calls = [["Station", [count]]]
    for step in range(count):
        calls += [["add", [1 + step * step % (2 * levels + 1) % levels]], ["middle", []]]
    return calls + [["middle", []], ["send", []]] * (count + 1)


def rise_and_fall(count):
    """Levels that rise, then levels that fall, with a send now and then, then all are sent."""
    calls = [["Station", [2 * count]]]
    for step in range(2 * count):
        level = 2 * step + 1 if step < count else 2 * (2 * count - step)
        calls += [["add", [level]], ["middle", []]]
        if step % 3 == 2:
            calls += [["send", []], ["middle", []]]
    return calls + [["send", []], ["middle", []]] * (2 * count)


def full_again(room, rounds):
    """A station that is filled beyond its room, half emptied, and filled again."""
    calls, level = [["Station", [room]]], 0
    for turn in range(rounds):
        for _ in range(room + 2):
            level = (level * 7 + 5) % 101
            calls.append(["add", [level + 1]])
        calls += [["middle", []], ["send", []], ["middle", []]] * (room // 2 + turn % 2)
    return calls


def long_mix(draw, room, filling, count):
    """Mostly new readings at first, then all calls mixed; some levels come more than once."""
    calls = [["Station", [room]], ["middle", []], ["send", []]]
    while len(calls) < count:
        chance = draw.random()
        if chance < (0.9 if len(calls) < filling else 0.45):
            calls.append(["add", [1 + int(draw.random() * room * 1.5)]])
        elif chance < 0.92:
            calls.append(["middle", []])
        else:
            calls.append(["send", []])
    return calls


def exchanged(calls, draw):
    """The same calls with other levels. Zero stays; no two levels follow each other closely."""
    levels = {args[0] for name, args in calls if name == "add"}
    low = sorted(level for level in levels if level < 0)
    high = sorted(level for level in levels if level > 0)
    new = {0: 0, **dict(zip(low, sorted(-n for n in spread(len(low), draw))))}
    new.update(zip(high, spread(len(high), draw)))
    return [[name, [new[args[0]]] if name == "add" else args] for name, args in calls]


def spread(count, draw):
    """So many levels in order, at least three apart."""
    step = 3
    places = sorted(draw.sample(range(len(LEVELS) // step), count))
    return [LEVELS[place * step] for place in places]
