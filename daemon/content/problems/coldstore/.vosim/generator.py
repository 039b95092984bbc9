"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed; rooms, seconds, degrees and their order do.
"""

import random

ROOMS = ("fish", "fruit", "ice", "milk", "herbs", "bread", "roots", "shells", "cheese", "berries")
LAST = 1_000_000_000


def generate(seed):
    return hidden(random.Random(seed))


def hidden(draw):
    return {
        "test_many_books": many_books(draw, 5, 12),
        "test_edges": edges(draw),
        "test_mixed_calls": mixed(draw, 420),
        "test_long_room": long_room(draw, 500),
        "test_far_apart": far_apart(draw, 400, 2_000_000),
    }


def degrees(draw):
    """Any degrees but zero, which stands only where a case means it."""
    return draw.choice([draw.randint(-60, -1), draw.randint(1, 30)])


def rising(draw, count, gap, second=0):
    """Seconds in rising order, at least three apart."""
    seconds = []
    for _ in range(count):
        second += draw.randint(gap, 2 * gap)
        seconds.append(second)
    return seconds


def other(draw, taken):
    """Degrees that are none of these."""
    while True:
        value = degrees(draw)
        if value not in taken:
            return value


def many_books(draw, books, rounds):
    """Books in turn, with the same rooms and seconds in all of them, and other degrees."""
    rooms = draw.sample(ROOMS, 2)
    seconds = rising(draw, rounds, 5, 200)
    calls = [["SettingBook", []] for _ in range(books)]
    for second in seconds:
        values = draw.sample(range(-60, -1), books)
        room = draw.choice(rooms)
        for book in draw.sample(range(books), books):
            calls += [["SettingBook@%d" % (book + 1), []], ["note", [room, second, values[book]]]]
        for book in draw.sample(range(books), books):
            calls += [["SettingBook@%d" % (book + 1), []], ["degrees_at", [room, second + 2]]]
    return calls


def edges(draw):
    """The first and the last second, the second of a line and both beside it, and zero degrees."""
    room, empty = draw.sample(ROOMS, 2)
    late, early = LAST - draw.randint(10, 40), draw.randint(10, 40)
    calls = [["SettingBook", []], ["degrees_at", [room, 0]]]
    for second, value in zip((LAST, 0, late, early), draw.sample(range(-60, -1), 4)):
        calls.append(["note", [room, second, value]])
    for second in (0, 1, early - 1, early, early + 1, late, late + 1, LAST - 1, LAST):
        calls.append(["degrees_at", [room, second]])
    calls += [["note", [room, early, 0]], ["degrees_at", [room, early + 2]]]
    calls += [["degrees_at", [empty, early]], ["erase", [room, 0]], ["degrees_at", [room, 0]]]
    calls += [["degrees_at", [room, early - 1]], ["erase", [room, 0]], ["erase", [room, LAST]]]
    calls.append(["degrees_at", [room, LAST]])
    # The coldest and the warmest, and rooms with long names that differ in the last letter.
    long_name, like_it = draw.sample(["herringroom" + letter for letter in "abcd"], 2)
    for value in (-60, 30):
        calls += [["note", [long_name, early, value]], ["degrees_at", [long_name, early + 2]]]
    calls += [["degrees_at", [like_it, early]], ["erase", [like_it, early]]]
    return calls + [["degrees_at", [long_name, early]]]


def mixed(draw, steps):
    """Calls of all kinds in two books; the end of it has each rule once more."""
    rooms = draw.sample(ROOMS, 3)
    calls = [["SettingBook", []], ["SettingBook", []]]
    for _ in range(steps):
        room, second = draw.choice(rooms), draw.randrange(5, 120)
        kind = draw.random()
        if kind < 0.06:
            calls.append(["SettingBook@%d" % draw.randint(1, 2), []])
        elif kind < 0.4:
            calls.append(["note", [room, second, degrees(draw)]])
        elif kind < 0.55:
            calls.append(["erase", [room, second]])
        else:
            calls.append(["degrees_at", [room, second]])
    return calls + every_rule(draw, rooms[0], rooms[1], 2)


def every_rule(draw, room, beside, books):
    """Each rule once, in two books that come after the others."""
    a, b, c = rising(draw, 3, 6)
    first = degrees(draw)
    second = other(draw, [first])
    third = other(draw, [first, second])
    return [
        ["SettingBook", []],
        ["degrees_at", [room, b]],
        ["note", [room, c, first]],
        ["note", [room, a, second]],
        ["degrees_at", [room, c + 1]],
        ["degrees_at", [room, a]],
        ["degrees_at", [room, a - 1]],
        ["note", [room, a, third]],
        ["degrees_at", [room, b]],
        ["erase", [room, b]],
        ["degrees_at", [room, b]],
        ["note", [beside, c, second]],
        ["erase", [room, c]],
        ["degrees_at", [room, c]],
        ["degrees_at", [beside, c + 1]],
        ["note", [room, b, 0]],
        ["degrees_at", [room, b + 1]],
        ["note", [room, c, first]],
        ["note", [room, c, second]],
        ["erase", [room, c]],
        ["degrees_at", [room, c]],
        ["erase", [room, c]],
        ["SettingBook", []],
        ["degrees_at", [room, b]],
        ["note", [room, a, first]],
        ["SettingBook@%d" % (books + 1), []],
        ["degrees_at", [room, b + 1]],
    ]


def long_room(draw, lines):
    """Very many lines in one room, written in any order; some are replaced, some erased."""
    room, beside = draw.sample(ROOMS, 2)
    seconds = rising(draw, lines, 20)
    order = draw.sample(seconds, lines)
    calls = [["SettingBook", []]]
    calls += (["note", [room, second, degrees(draw)]] for second in order)
    few = draw.sample(seconds, lines // 5)
    calls += (["note", [beside, second, degrees(draw)]] for second in few)
    calls += (["note", [room, second, 0]] for second in few[: lines // 10])
    calls += (["erase", [room, second]] for second in few[lines // 10 :])
    calls += (["erase", [room, second + 1]] for second in few)
    for second in draw.sample(seconds, lines // 2):
        calls.append(["degrees_at", [room, second + draw.choice([-1, 0, 1])]])
    calls += (["degrees_at", [room, second]] for second in few)
    calls += (["degrees_at", [beside, second + 2]] for second in few)
    return calls + [["degrees_at", [room, seconds[0] - 1]], ["degrees_at", [room, seconds[-1]]]]


def far_apart(draw, lines, gap):
    """Lines in rising order with very many seconds between them, asked anywhere between."""
    room = draw.choice(ROOMS)
    seconds = rising(draw, lines, gap // 2)
    calls = [["SettingBook", []]]
    for second in seconds:
        calls.append(["note", [room, second, degrees(draw)]])
        asked = draw.randint(1, len(calls) // 2)
        calls.append(["degrees_at", [room, seconds[asked - 1] + gap // 2 - draw.randint(1, gap // 8)]])
    return calls
