"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Each case has plans that show one thing each, at other
days and prices, and some that are drawn freely.
"""

import random

# So many days or uses are never at an end within a small plan.
PLENTY = 400


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_days_run_out": calls(draw, days_run_out(draw)),
        "test_uses_run_out": calls(draw, uses_run_out(draw)),
        "test_free_passes": calls(draw, free_passes(draw)),
        "test_mixed_plans": calls(draw, mixed_plans(draw)),
        "test_long_year": calls(draw, [long_year(draw, 150) for _ in range(3)]),
    }


def calls(draw, plans):
    draw.shuffle(plans)
    return [["pass_costs", list(plan)] for plan in plans]


def days_run_out(draw):
    """Uses never run out, and no pass is free."""
    plans = [last_day(draw), day_after(draw), dear_end(draw, days=True), waste(draw, days=True)]
    plans += [two_kinds(draw, days=True), *longest(draw)]
    plans += [free_hand(draw, uses=PLENTY, days=9, free_every=0, twice=False) for _ in range(5)]
    return plans


def uses_run_out(draw):
    """Days never run out, and no pass is free."""
    plans = [one_too_many(draw), same_day(draw), same_day(draw), two_kinds(draw, days=False)]
    plans += [dear_end(draw, days=False), waste(draw, days=False)]
    plans += [free_hand(draw, uses=5, days=0, free_every=0, twice=True) for _ in range(5)]
    return plans


def free_passes(draw):
    """Days never run out."""
    plans = [number_n(draw, n) for n in (2, 3, 4, 10)] + [free_dear(draw), count(draw)]
    visits, kinds, _ = free_hand(draw, uses=4, days=0, free_every=0, twice=False)
    plans += [(visits, kinds, n) for n in (0, 2, 10)] + [(visits, kinds[::-1], 2)]
    plans += [(visits[:3], kinds, n) for n in (0, 10)] + [dear_end(draw, days=False)]
    return plans


def mixed_plans(draw):
    plans = [last_day(draw), day_after(draw), one_too_many(draw), same_day(draw), number_n(draw, 3)]
    plans += [free_dear(draw), count(draw), in_between(draw), two_kinds(draw, days=True)]
    plans += [dear_end(draw, days=True), waste(draw, days=False), ([], plans[0][1], 0), ([], [], 2)]
    plans += [(plans[1][0], [], n) for n in (0, draw.choice((2, 5)))]
    plans += [eight_kinds(draw, at) for at in (0, 7)] + [dear_visits(draw), many_uses(draw)]
    for n in (0, 2, 3, 4, 0, 2):
        plans.append(free_hand(draw, uses=4, days=12, free_every=n, twice=True))
    return plans


# Plans that show one thing each.


def placed(draw, visits, kinds, free_every):
    """The same plan at other days and prices, with the kinds in another order."""
    later, dearer = draw.randrange(1, 900), draw.randrange(2, 60)
    kinds = [[days, uses, price * dearer] for days, uses, price in kinds]
    draw.shuffle(kinds)
    return [day + later for day in visits], kinds, free_every


def last_day(draw):
    days = draw.randrange(4, 20)
    return placed(draw, [0, days - 1], [[days, PLENTY, 1]], 0)


def longest(draw):
    """A pass for the greatest number of days: its last day, and the day after."""
    days = 1_000
    return [placed(draw, [0, last], [[days, PLENTY, 1]], 0) for last in (days - 1, days)]


def day_after(draw):
    days = draw.randrange(4, 20)
    return placed(draw, [0, days], [[days, PLENTY, 1]], 0)


def one_too_many(draw):
    uses = draw.randrange(2, 6)
    return placed(draw, list(range(uses + 1)), [[PLENTY, uses, 1]], 0)


def same_day(draw):
    """More visits on one day than a pass has uses."""
    uses = draw.randrange(1, 4)
    return placed(draw, [0] * (uses + draw.randrange(1, 4)), [[PLENTY, uses, 1]], 0)


def two_kinds(draw, days):
    """A long pass for a row of visits, and a small one for the last visit."""
    row, far = draw.randrange(3, 7), draw.randrange(30, 60)
    small = draw.randrange(2, 5)
    kinds = [[row if days else PLENTY, PLENTY if days else row, 2 * small], [1, 1, small]]
    return placed(draw, [*range(row), far], kinds, 0)


def dear_end(draw, days):
    """The pass that is cheap for each visit leaves one visit over, which is dear."""
    row = draw.randrange(4, 7)
    good, dear = 4 * row, 3 * row
    sizes = [(row, dear), (row + 1, good), (1, 2 * row)]
    kinds = [[n, PLENTY, price] if days else [PLENTY, n, price] for n, price in sizes]
    return placed(draw, list(range(row + 1)), kinds, 0)


def waste(draw, days):
    """The pass that covers most visits is far too dear."""
    row = draw.randrange(3, 6)
    sizes = [(row, 20 * row), (row - 1, 2 * row), (1, row)]
    kinds = [[n, PLENTY, price] if days else [PLENTY, n, price] for n, price in sizes]
    return placed(draw, list(range(row)), kinds, 0)


def number_n(draw, n):
    """One kind, for one visit each, and several free ones."""
    visits = [7 * at for at in range(2 * n + draw.randrange(1, n + 1))]
    return placed(draw, visits, [[1, 1, 1]], n)


def free_dear(draw):
    """The free pass should be the dear one."""
    row = draw.randrange(4, 8)
    return placed(draw, [3 * at for at in range(1 + row)], [[PLENTY, 1, 2], [PLENTY, row, 9]], 2)


def count(draw):
    """The cheapest way to the third visit comes there with the wrong number of passes."""
    one = draw.randrange(5, 10)
    two = draw.randrange(one + 1, 2 * one)
    visits = sorted(draw.sample(range(40), 4))
    return placed(draw, visits, [[PLENTY, 1, one], [PLENTY, 2, two]], 2)


def in_between(draw):
    """A pass for few visits over a long time, and a row of visits within it."""
    start, end = draw.randrange(3, 9), draw.randrange(3, 9)
    row = draw.randrange(1, 3)
    visits = [0, *(start + at for at in range(1 + row)), start + row + end]
    return placed(draw, visits, [[1 + row, PLENTY, 4], [start + row + end + 3, 2, 6]], 0)


def eight_kinds(draw, good):
    """On the last days there are, at the highest prices; one of eight kinds is worth its price."""
    visits = [100_000 - 9 * at for at in range(5)][::-1]
    kinds = [[PLENTY, 1, 9_000 + draw.randrange(1_000)] for _ in range(7)]
    kinds.insert(good, [PLENTY, PLENTY, 10_000])
    return visits, kinds, 0


def dear_visits(draw):
    """No pass serves two visits, and each is dear."""
    return [11 * at for at in range(1, 10)], [[3, 1, 9_000 + draw.randrange(1_000)]], 0


def many_uses(draw):
    """A pass for many visits, and one visit more."""
    uses = 30 + draw.randrange(8)
    return list(range(1, uses + 3)), [[1_000, uses, 50], [1_000, 1, 10]], 0


# Plans that are drawn.


def free_hand(draw, uses, days, free_every, twice):
    """Some visits and kinds; `days` 0 means that they never run out."""
    many = 5 + draw.randrange(6)
    pool = list(range(24)) * (2 if twice else 1)
    visits = sorted(draw.sample(pool, many))
    kinds = []
    for _ in range(3):
        size = [1 + draw.randrange(days) if days else PLENTY]
        size.append(uses if uses == PLENTY else 1 + draw.randrange(uses))
        kinds.append([*size, 10 + draw.randrange(30)])
    return placed(draw, visits, kinds, free_every)


def long_year(draw, many):
    """Many visits, in weeks that are full and others with gaps, and a long break."""
    day, visits = draw.randrange(1, 400), []
    for at in range(many):
        visits.append(day)
        day += draw.choice((0, 1, 1, 1, 2, 3, 6))
        if at == many * 2 // 3:
            day += draw.randrange(2_000, 60_000)
    price = 10 * draw.randrange(8, 20)
    kinds = [
        [1, 1, price],
        [3, 3, price * 13 // 10 + draw.randrange(1, 6)],
        [8, 4, price * 17 // 10 - draw.randrange(1, 6)],
        [30, 5, price * 22 // 10 + draw.randrange(1, 6)],
    ]
    draw.shuffle(kinds)
    return visits, kinds, 3
