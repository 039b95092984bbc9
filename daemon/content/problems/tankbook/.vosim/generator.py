"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Some short books are written once, and all numbers
of a book are multiplied by one that is drawn. The others are drawn altogether.
"""

import random

CHANGE_MAX = 1_000_000_000

# Changes, target, least.
DASHES = [
    ("3 4 - 3 4 - 7", 7, 1),
    ("- 5 -5 5 - - 5 -", 5, 1),
    ("2 6 - 6 2 0 - 8 1", 8, 2),
    ("9 - 12 - 3", 3, 1),
    ("4 - 4 4 - 4 0 4", 8, 1),
    ("0 0 - 0 0 0", 0, 2),
    ("- -", 0, 1),
    ("1 2 3 - -6 6 - 1 2 3", 6, 3),
    ("-3 - -3 -4 - -7", -7, 1),
    ("5 6 - 7 8", 14, 1),
]
LEAST = [
    ("1 1 1 1 1 1", 3, 3),
    ("1 1 1 1 1 1", 3, 4),
    ("1 1 1 1 1 1", 2, 3),
    ("2 -2 2 -2 2 -2", 0, 1),
    ("2 -2 2 -2 2 -2", 0, 3),
    ("2 -2 2 -2 2 -2", 0, 6),
    ("2 -2 2 -2 2 -2", 0, 7),
    ("7 3 -3 4 - 7 0 0 0", 7, 3),
    ("5 -1 1 0 5", 5, 4),
    ("6 1 -7 6", 6, 4),
    ("3 3 - 3 3", 6, 2),
    ("3 3 - 3 3 3", 9, 3),
]


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_between_dashes": scaled(draw, DASHES),
        "test_shortest_spans": scaled(draw, LEAST) + many_days(draw),
        "test_large_changes": large_changes(draw),
        "test_many_books": many_books(draw, 60),
        "test_long_book": long_book(draw, 20_000),
    }


def between(draw, least, most):
    return least + int(draw.random() * (most - least + 1))


def book(text, factor=1):
    return [word if word == "-" else int(word) * factor for word in text.split()]


def call(changes, target, least):
    return ["count_spans", [changes, target, least]]


def scaled(draw, books):
    calls = []
    for text, target, least in books:
        factor = between(draw, 2, 90)
        calls.append(call(book(text, factor), target * factor, least))
    return calls


def many_days(draw):
    """Books of which very long spans count, and in which very many end on one day."""
    change, least = between(draw, 2, 90), between(draw, 2_000, 2_080)
    swings = [change, -change] * 1_050
    still = [0] * between(draw, 100, 150)
    return [call(swings, 0, least), call(swings, change, least), call(still, 0, 1), call(still, 0, 60)]


def large_changes(draw):
    """Sums that do not fit into 32 bits, above zero and below."""
    a, b, c = (between(draw, 800_000_000, 899_999_999) for _ in range(3))
    changes = [a, b, c, a, -b, -c, -a, -a, -b, "-", c, b, a]
    totals = [a + b + c, a + c - a - a - b - c, -a - a - b, 3 * a, c]
    calls = [call(changes, total, least) for total in totals for least in (1, 3)]
    # Nearly as much as there may be, both ways.
    heavy = [between(draw, 970_000_000, 999_999_999) for _ in range(1_010)]
    wet, dry = sum(heavy[:1_000]), [-change for change in heavy]
    calls += [call(heavy, wet, 1), call(dry, -wet, 990), call(heavy, wet, 1_001)]
    # Totals that a number of so many bits cannot tell from the target.
    for bits in (31, 32, 33, 36, 39):
        days = [between(draw, 900_000_000, 999_999_999) for _ in range((1 << bits) // 950_000_000)]
        while not 0 < (1 << bits) - sum(days) <= CHANGE_MAX:
            days = days[:-1] if sum(days) >= 1 << bits else [*days, CHANGE_MAX]
        target = between(draw, 2, 90)
        calls.append(call([*days, (1 << bits) - sum(days), target], target, 1))
    return calls


def many_books(draw, books):
    """Short books of any kind with small changes, so that many spans have the same total."""
    calls = []
    for _ in range(books):
        most = between(draw, 1, 5)
        days = [between(draw, -most, most) for _ in range(between(draw, 1, 16))]
        changes = ["-" if draw.random() < 0.1 else change for change in days]
        calls.append(call(changes, between(draw, -most, most), between(draw, 1, 3)))
    return calls


def long_book(draw, days):
    """A long book in which the tank fills slowly, with a few dashes near its ends."""
    changes = [between(draw, -6, 9) for _ in range(days)]
    for _ in range(5):
        changes[between(draw, 9, days // 50)] = "-"
        changes[-between(draw, 9, days // 50)] = "-"
    target = between(draw, 5, 9)
    changes[:5] = [target - 3, 3, "-", target - 3, 3]
    return [call(changes, target, 2)]
