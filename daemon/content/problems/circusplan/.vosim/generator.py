"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed; the names, and who needs whom, do.
"""

import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def generate(seed):
    return hidden(random.Random(seed))


def hidden(draw):
    return {
        "test_small_plans": small_plans(draw, 30),
        "test_circle_plans": circle_plans(draw, 12),
        "test_many_layers": many_layers(draw, 90, 5),
        "test_long_chain": long_chain(draw, 900),
    }


def names(draw, count, length=6):
    """So many different names in the order of the alphabet, of this length or one more."""
    found = set()
    while len(found) < count:
        size = length + draw.randint(0, 1)
        found.add("".join(draw.choice(LETTERS) for _ in range(size)))
    return sorted(found)


def call(draw, steps, needs):
    return ["plan", [draw.sample(steps, len(steps)), draw.sample(needs, len(needs))]]


def small_plans(draw, calls):
    """Short plans of any kind, then one plan for each rule."""
    made = []
    for _ in range(calls):
        steps = names(draw, draw.randint(2, 6), 3)
        pairs = draw.randint(0, len(steps) + 1)
        needs = [[draw.choice(steps), draw.choice(steps)] for _ in range(pairs)]
        made.append(call(draw, steps, needs))
    return made + every_rule(draw)


def every_rule(draw):
    a, b, c, d, e, f = names(draw, 6, 3)
    no_step = names(draw, 1, 8)[0]
    # Long names that differ in their last letter, and the beginning of all of them.
    stem = names(draw, 1, 11)[0][:11]
    alike = [stem + letter for letter in "pkfb"]
    return [
        ["plan", [[d, c, b, a], [[a, c], [a, d]]]],
        ["plan", [[e, d, c, a], [[a, c], [d, e]]]],
        ["plan", [[f, e, b, a], [[b, f], [f, b], [a, b]]]],
        ["plan", [[c, b, a], [[b, b], [a, c]]]],
        ["plan", [[c, b, a], [[a, c], [a, c], [b, a]]]],
        ["plan", [[c, b, a], [[a, no_step], [no_step, b], [a, c]]]],
        ["plan", [[*alike, stem], [[stem, alike[1]]]]],
        # The last pair in the order of the alphabet names no step, and a step becomes free afterwards.
        ["plan", [[c, b, a], [[c, no_step], [a, c]]]],
    ]


def circle_plans(draw, calls):
    """A circle, steps that wait for it, steps for which it waits, and others."""
    made = []
    for _ in range(calls):
        length, before, behind, others = (draw.randint(2, 4) for _ in range(4))
        steps = names(draw, length + before + behind + others, 4)
        mixed = draw.sample(steps, len(steps))
        ring = [mixed.pop() for _ in range(length)]
        early = [mixed.pop() for _ in range(before)]
        late = [mixed.pop() for _ in range(behind)]
        needs = [list(pair) for pair in zip(ring, [*ring[1:], ring[0]])]
        needs += ([draw.choice(ring), step] for step in early)
        for step in late:
            needs += [[step, draw.choice(ring)], [step, draw.choice(early)]]
        made.append(["plan", [steps[::-1], draw.sample(needs, len(needs))]])
    return made


def many_layers(draw, layers, width):
    """Each step needs two steps of the layer before; pairs stand there twice, some names are
    unknown, and a few steps are caught in circles."""
    mixed = names(draw, layers * width + 12)
    draw.shuffle(mixed)
    extra = [mixed.pop() for _ in range(12)]
    rows = [mixed[at * width : (at + 1) * width] for at in range(layers)]
    needs = []
    for above, row in zip(rows, rows[1:]):
        for step in row:
            needs += ([step, other] for other in draw.sample(above, 2))
    needs += draw.sample(needs, layers // 2)
    ring, waiting, alone, missing = extra[:4], extra[4:6], extra[6:8], extra[8:]
    needs += (list(pair) for pair in zip(ring, [*ring[1:], ring[0]]))
    needs += ([step, draw.choice(ring)] for step in waiting)
    needs += ([step, step] for step in alone)
    needs += ([draw.choice(mixed), name] for name in missing)
    needs += ([name, draw.choice(mixed)] for name in missing)
    return [call(draw, mixed + ring + waiting + alone, needs)]


def long_chain(draw, count):
    """One chain through all steps."""
    steps = names(draw, count)
    draw.shuffle(steps)
    return [call(draw, steps, [list(pair) for pair in zip(steps, steps[1:])])]
