"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed; which lighthouses are joined, and when, does.
"""

import random


def generate(seed):
    return hidden(random.Random(seed))


def hidden(draw):
    return {
        "test_many_coasts": many_coasts(draw, 6, 9),
        "test_mixed_calls": mixed(draw, 14, 260),
        "test_rings": rings(draw, 8, 6),
        "test_big_coast": big_coast(draw, 500, 700, 700),
        "test_long_chain": long_chain(draw, 900, 300),
    }


def asked(draw, name, numbers):
    """A call with as many of these numbers as it needs."""
    if name == "groups":
        return [name, []]
    count = 2 if name in ("lay", "can_talk") else 1
    return [name, [draw.choice(numbers) for _ in range(count)]]


def many_coasts(draw, coasts, rounds):
    """Coasts in turn, each with cables of its own; every time the question is about a cable that
    another coast has."""
    count = 2 * coasts + 4
    calls = [["Coast", [count]] for _ in range(coasts)]
    numbers = draw.sample(range(1, count + 1), 2 * coasts)
    pairs = list(zip(numbers[::2], numbers[1::2]))
    for turn in range(rounds):
        for at in draw.sample(range(coasts), coasts):
            one, other = pairs[(at + turn) % coasts]
            calls += [["Coast@%d" % (at + 1), []], ["lay", [one, other]], ["groups", []]]
            mine, theirs = pairs[at], pairs[(at + turn + 1) % coasts]
            calls += [["can_talk", list(theirs)], ["size", [mine[0]]]]
        if turn == coasts - 2:
            break
    return calls


def mixed(draw, count, steps):
    """Calls of all kinds on a small coast; the end of it has each rule once more."""
    numbers = range(-1, count + 3)
    names = ["lay", "can_talk", "can_talk", "size", "speaker", "groups"]
    calls = [["Coast", [count]]]
    for step in range(steps):
        if step % 40 == 39:
            calls.append(["Coast", [count]])
        calls.append(asked(draw, draw.choice(names), numbers))
    return calls + every_rule(draw, count)


def every_rule(draw, count):
    """Each rule once, on a coast of its own."""
    a, b, c, d, e, f = sorted(draw.sample(range(1, count + 1), 6))
    calls = [["Coast", [count]], ["lay", [c, b]], ["lay", [d, c]], ["can_talk", [b, d]]]
    calls += [["lay", [b, c]], ["lay", [b, d]], ["lay", [d, d]], ["groups", []]]
    calls += [["size", [b]], ["size", [c]], ["size", [d]], ["speaker", [d]], ["speaker", [c]]]
    # Below zero there is no lighthouse, though there is one with the number that stands behind the sign.
    calls += [["lay", [-f, e]], ["lay", [f, -e]], ["can_talk", [e, f]], ["size", [-d]]]
    calls += [["can_talk", [-b, d]], ["can_talk", [b, -d]], ["speaker", [-d]]]
    calls += [["lay", [f, e]], ["lay", [a, f]], ["lay", [e, d]], ["can_talk", [a, c]]]
    calls += [["speaker", [b]], ["size", [f]], ["groups", []], ["can_talk", [c, c]]]
    calls += [["lay", [a, count + 1]], ["lay", [0, b]], ["lay", [0, 0]], ["size", [0]]]
    calls += [["can_talk", [count + 2, count + 2]], ["can_talk", [a, count + 1]]]
    return calls + [["size", [count + 1]], ["speaker", [count + 1]], ["groups", []], ["size", [a]]]


def rings(draw, count, length):
    """Rings of lighthouses: the last cable of each joins nothing; then the rings are joined."""
    numbers = draw.sample(range(1, count * length + 1), count * length)
    calls = [["Coast", [count * length + 2]]]
    parts = [numbers[at * length : (at + 1) * length] for at in range(count)]
    for part in parts:
        for one, other in zip(part, [*part[1:], part[0]]):
            calls.append(["lay", draw.sample([one, other], 2)])
        calls += [["size", [draw.choice(part)]], ["groups", []], ["speaker", [draw.choice(part)]]]
    for part, other in zip(parts, parts[1:]):
        calls += [["can_talk", [part[0], other[-1]]], ["lay", [draw.choice(part), draw.choice(other)]]]
        calls += [["can_talk", [draw.choice(parts[0]), draw.choice(other)]]]
        calls += [["size", [draw.choice(parts[0])]], ["size", [draw.choice(other)]]]
        calls += [["speaker", [draw.choice(parts[0])]], ["speaker", [draw.choice(other)]]]
    return calls + [["groups", []]]


def big_coast(draw, count, cables, questions):
    """Very many cables anywhere, and questions between them; the last lighthouses stay alone."""
    numbers = range(1, count - 3)
    names = ["can_talk", "can_talk", "size", "speaker", "groups"]
    kinds = ["lay"] * cables + [draw.choice(names) for _ in range(questions)]
    draw.shuffle(kinds)
    calls = [["Coast", [count]]] + [asked(draw, kind, numbers) for kind in kinds]
    return calls + [["groups", []]] + every_rule(draw, count)


def long_chain(draw, count, questions):
    """One chain through all lighthouses, laid in any order; then questions about its ends."""
    numbers = draw.sample(range(1, count + 1), count)
    cables = [list(pair) for pair in zip(numbers, numbers[1:])]
    last = cables.pop(count // 2)
    calls = [["Coast", [count]]]
    calls += (["lay", draw.sample(pair, 2)] for pair in draw.sample(cables, count - 2))
    ends = [["can_talk", [numbers[0], numbers[-1]]], ["size", [numbers[0]]], ["size", [numbers[-1]]]]
    ends += [["groups", []], ["speaker", [numbers[0]]], ["speaker", [numbers[-1]]]]
    calls += [*ends, ["lay", last], *ends]
    names = ["can_talk", "size", "speaker"]
    return calls + [asked(draw, draw.choice(names), numbers) for _ in range(questions)]
