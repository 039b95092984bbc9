"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Prices and bounds do.
"""

import random

PRICE_MAX = 100_000


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_misfits": misfits(draw),
        "test_exact_total": exact_total(draw, 6),
        "test_best_partners": best_partners(draw, 4),
        "test_many_shelves": many_shelves(draw, 60),
        "test_long_shelf": long_shelf(draw, 4_000),
    }


def between(draw, least, most):
    return least + int(draw.random() * (most - least + 1))


def call(prices, low, high):
    return ["pack_jars", [sorted(prices), low, high]]


def misfits(draw):
    """Jars that fit nobody, at one end, the other or both; and a jar in the middle that is left."""
    low = between(draw, 400, 600)
    high = low + between(draw, 40, 60)
    half = low // 2
    cheap = [between(draw, 1, half // 3) for _ in range(3)]
    dear = [1_000 + between(draw, 1, 200) for _ in range(3)]
    middle = [half - 5, half + 7, half + 8, half + 11]
    odd = [half - 9, half + 1, half + 12]
    return [
        call(cheap + middle, low, high),
        call(middle + dear, low, high),
        call(cheap + middle + dear, low, high),
        call(odd, low, high),
        call(cheap + odd + dear, low, high),
        call(cheap, low, high),
        call(dear, low, high),
        call([], low, high),
        call([half + 3], low, high),
    ]


def exact_total(draw, pairs):
    """Both bounds are one number, or a pair lies on a bound."""
    total = between(draw, 2_000, 3_000) * 2
    fits = [between(draw, 200, 900)] + [between(draw, 1, total // 2 - 1) for _ in range(pairs - 1)]
    fits += [total - price for price in fits] + [total // 2] * 3
    low = between(draw, 300, 900)
    high = low + between(draw, 20, 90)
    return [
        call(fits, total, total),
        call([low // 3, low - low // 3], low, high),
        call([high // 3, high - high // 3], low, high),
        call([low // 3, low - low // 3 - 1], low, high),
        call([high // 3, high - high // 3 + 1], low, high),
        # The least total that there is, and the greatest.
        call([1, 1, 1], 2, 2),
        call([PRICE_MAX] * 3, 2 * PRICE_MAX, 2 * PRICE_MAX),
    ]


def best_partners(draw, times):
    """Four jars that make two boxes in one way only: not when neighbours are packed, nor when a jar
    gets the cheapest partner that will do."""
    calls = []
    for _ in range(times):
        first, step = between(draw, 100, 500), between(draw, 10, 90)
        jars = [first, first + 3 * step, first + 4 * step, first + 5 * step]
        calls.append(call(jars, 2 * first + 4 * step, 2 * first + 7 * step))
        calls.append(call(jars + [first + step], 2 * first + 4 * step, 2 * first + 7 * step))
        jars = [first, first + step, first + 2 * step, first + 5 * step]
        calls.append(call(jars, 2 * first + 3 * step, 2 * first + 6 * step))
    return calls


def many_shelves(draw, shelves):
    """Short shelves of any kind, with many equal prices; an empty one first."""
    calls = [call([], 3, 4)]
    while len(calls) < shelves:
        most = between(draw, 6, 30)
        prices = [between(draw, 1, most) for _ in range(between(draw, 0, 14))]
        low = between(draw, 1, 2 * most)
        calls.append(call(prices, low, low + between(draw, 0, most)))
    return calls


def long_shelf(draw, jars):
    """A long shelf on which most jars find a partner, but some at both ends do not.

    No total lies on a bound, and no jar costs half of a box: other cases are about that. One jar
    alone comes after it."""
    low = 10 * between(draw, 8_500, 9_500) - 5
    high = low + 10 * between(draw, 10, 20)
    prices = [PRICE_MAX]
    while len(prices) < jars:
        price = 10 * between(draw, 1, PRICE_MAX // 10)
        if not low <= 2 * price <= high:
            prices.append(price)
    return [call(prices, low, high), call(prices[:1], low, high)]
