"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed; the seconds and the order of the visits do.
"""

import random

LAST = 1_000_000_000


def generate(seed):
    return hidden(random.Random(seed))


def hidden(draw):
    return {
        "test_groups": groups(draw, 6),
        "test_mixed_lists": mixed(draw, 30),
        "test_long_list": long_list(draw, 600, 100, 300_000_000),
        "test_whole_range": whole_range(draw, LAST),
    }


def call(draw, visits):
    """One call with these visits in any order."""
    return ["fullest", [draw.sample(visits, len(visits))]]


def at_random(draw, count, first, last, length):
    """Visits somewhere between two seconds, none empty, none the wrong way round."""
    visits = []
    for _ in range(count):
        begin = draw.randint(first, last - length)
        visits.append([begin, begin + draw.randint(1, length)])
    return visits


def crowd(draw, count, first, last):
    """People who come in one after the other, then leave one after the other."""
    middle = (first + last) // 2
    begins = draw.sample(range(first, middle), count)
    ends = draw.sample(range(middle + 1, last), count)
    return [list(pair) for pair in zip(begins, ends)]


def peak_of(visits):
    """When the last one of a crowd comes in."""
    return max(min(pair) for pair in visits)


def groups(draw, calls):
    """People who come and go together: the same two seconds several times."""
    made = []
    for _ in range(calls):
        begin, end = draw.randint(100, 400), draw.randint(500, 900)
        most = draw.randint(3, 6)
        visits = [[begin, end] for _ in range(most)]
        visits += at_random(draw, 2, 901, 990, 30)
        made.append(call(draw, visits))
    return made


def mixed(draw, calls):
    """Short lists, then one list for each rule."""
    made = []
    for _ in range(calls):
        visits = at_random(draw, draw.randint(2, 9), 0, 60, 20)
        made.append(call(draw, visits))
    return made + every_rule(draw)


def every_rule(draw):
    a = draw.randint(11, 30)
    b = a + draw.randint(3, 9)
    c = b + draw.randint(3, 9)
    d = c + draw.randint(3, 9)
    return [
        ["fullest", [[]]],
        call(draw, [[a, b], [b, c], [a, c]]),
        call(draw, [[b, b], [b, b], [a, d], [c, c]]),
        call(draw, [[c, a], [d, b], [a, b]]),
        ["fullest", [[[c, d], [a, b]]]],
        call(draw, [[a, c], [a, c], [b, d]]),
        call(draw, [[a, a], [b, b]]),
        ["fullest", [[[d, 100 + d], [9, a]]]],
        call(draw, [[b + 1, b], [a, a + 1]]),
        ["fullest", [[[b + 1, b]]]],
        # One comes as another leaves, whose visit is the wrong way round; one turns round before
        # anybody comes.
        ["fullest", [[[b, c], [b, a]]]],
        ["fullest", [[[b, c], [a, a]]]],
    ]


def long_list(draw, scattered, people, zone):
    """Visits all over, and four crowds apart from them. Two crowds are the greatest, and equally
    great; the others only look so to a program that misses a rule."""
    visits = at_random(draw, scattered, zone // 3, zone, zone // 3000)
    wide = zone // 4
    first = crowd(draw, people, zone + 1, zone + wide)
    again = crowd(draw, people, zone + 2 * wide, zone + 3 * wide)
    for at in range(people // 10):
        first[2 * at] = list(first[2 * at + 1])
    for at in range(1, people // 10 + 1):
        first[-at].reverse()
    # At one second most of a crowd leave and as many come in; at another, many turn round.
    change, turn = zone + 5 * wide, zone + 7 * wide
    for _ in range(people * 3 // 4):
        visits.append([change - draw.randint(1, wide), change])
        visits.append([change, change + draw.randint(1, wide)])
    visits += [[turn, turn] for _ in range(people + people // 5)]
    visits += first + again
    draw.shuffle(visits)
    # The later crowd's last one stands before that of the earlier.
    marks = [peak_of(first), peak_of(again)]
    where = [next(at for at, pair in enumerate(visits) if min(pair) == mark) for mark in marks]
    if where[0] < where[1]:
        a, b = where
        visits[a], visits[b] = visits[b], visits[a]
    return [["fullest", [visits]]]


def whole_range(draw, last):
    """Visits from the first second or to the last one, and few or no others."""
    a, b = draw.randint(2, last // 2 - 1), draw.randint(last // 2, last - 2)
    return [
        call(draw, [[0, last]]),
        ["fullest", [[[b, last], [0, a]]]],
        call(draw, [[0, b], [a, last]]),
        call(draw, [[last, last], [0, 0]]),
        call(draw, [[last, a], [0, 1], [last - 1, last]]),
        *(["fullest", [[visit]]] for visit in near_the_first(a)),
    ]


def near_the_first(second):
    """Visits at the first seconds, each of which is the only one of a list."""
    return [[second, 0], [1, 0], [second, 1], [1, second], [2, 4], [4, 2]]
