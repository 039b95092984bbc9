"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Each case has maps that show one thing each; how long
their ways are and how they lie does depend on it. So do the maps that are drawn square by square.
"""

import random


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_rocks_and_edges": calls(rocks_and_edges(draw)),
        "test_mist_race": calls(mist_race(draw)),
        "test_lantern_detours": calls(lantern_detours(draw)),
        "test_last_minute": calls(last_minute(draw)),
        "test_long_way": calls([snake(draw, 100, 97 + draw.randrange(4))]),
        "test_wide_moor": calls([wide(draw, 90 + draw.randrange(11), 90 + draw.randrange(11))]),
    }


def calls(maps):
    return [["moor_walk", [rows]] for rows in maps]


def rocks_and_edges(draw):
    maps = [edges(draw), edges(draw), walled(draw), corner(draw), *rings(draw)]
    maps += [scattered(draw, mist=0, lanterns=0) for _ in range(6)]
    return mixed(draw, maps)


def mist_race(draw):
    maps = [edges(draw), walled(draw), corner(draw), *rings(draw), spread(draw), behind_rocks(draw)]
    maps += [race(draw, lead) for lead in (-1, 0, 1)] + [hut_at(draw, lead) for lead in (-1, 0)]
    maps += [scattered(draw, mist=2, lanterns=0) for _ in range(6)]
    return mixed(draw, maps)


def lantern_detours(draw):
    maps = [detour(draw), detour(draw), lantern_first(draw), lantern_at(draw, 0), lantern_at(draw, -1)]
    maps += [over_lantern(draw), race(draw, 0), behind_rocks(draw), hut_at(draw, 0), hut_at(draw, -1)]
    maps += [edges(draw), *rings(draw), second_lantern(draw)]
    maps += [scattered(draw, mist=2, lanterns=2) for _ in range(6)]
    return mixed(draw, maps)


def last_minute(draw):
    return mixed(draw, [hut_at(draw, by) for by in (-1, 0, 1, 0, -1)])


def mixed(draw, maps):
    draw.shuffle(maps)
    return maps


# Maps that show one thing each.


def edges(draw):
    """The hut can be reached only by leaving the map. It must stay as it lies."""
    left, right = draw.randrange(3), draw.randrange(3)
    row = "A" + "." * left + "#" + "." * right + "H"
    height = draw.randrange(1, 4)
    rocks = "." * (1 + left) + "#" + "." * (1 + right)
    at = draw.randrange(height)
    return [row if at == r else rocks for r in range(height)]


def walled(draw):
    """There is no way at all."""
    width = draw.randrange(3, 6)
    gap = draw.randrange(width)
    rows = ["." * gap + "A" + "." * (width - gap - 1), "#" * width, "." * (width - 1) + "H"]
    return turned(draw, ["#" + row + "#" for row in rows])


def corner(draw):
    """A step over a corner would be shorter."""
    height, width = draw.randrange(2, 6), draw.randrange(2, 6)
    rows = ["A" + "." * (width - 1)]
    rows += ["." * width] * (height - 2)
    return turned(draw, rows + ["." * (width - 1) + "H"])


def rings(draw):
    """Two ways lead around, a short and a long one, in one map to the left and in one to the right."""
    short, extra = draw.randrange(1, 4), draw.randrange(2, 5)
    width = 2 * short + extra + 3
    rows = ["." * width, "." + "#" * (width - 2) + ".", "." * width]
    rows[0] = "." * short + "A" + "." * (width - short - 1)
    rows[2] = "." * short + "H" + "." * (width - short - 1)
    if draw.random() < 0.5:
        rows = rows[::-1]
    return [rows, [row[::-1] for row in rows]]


def spread(draw):
    """The mist comes out of its corner and shuts the only way."""
    before, after = draw.randrange(2, 6), draw.randrange(1, 5)
    return turned(draw, [
        "A" + "." * (before + after) + "H",
        "#" * before + "~" + "#" * (after + 1),
    ])


def race(draw, lead):
    """The mist comes to a crossing so many minutes after the walker, or before."""
    walk, after = draw.randrange(3, 6), draw.randrange(1, 4)
    rows = ["A" + "." * (walk + after) + "H"]
    for depth in range(1, walk + lead + 1):
        mark = "~" if depth == walk + lead else "."
        rows.append("#" * walk + mark + "#" * (after + 1))
    return turned(draw, rows)


def behind_rocks(draw):
    """The mist is shut in and does not matter."""
    width = draw.randrange(6, 10)
    mist = "".join(draw.choice("~~.") for _ in range(width - 1)) + "~"
    return turned(draw, ["A" + "." * (width - 2) + "H", "#" * width, mist])


def detour(draw):
    """The lantern lies the other way, and the way back leads over the same squares."""
    back, ahead, after = draw.randrange(3), draw.randrange(3), draw.randrange(4)
    return turned(draw, ["o" + "." * back + "A" + "." * ahead + "~" + "." * after + "H"])


def lantern_first(draw):
    """The lantern lies on the way, before the mist."""
    before, ahead, after = draw.randrange(3), draw.randrange(3, 6), draw.randrange(4)
    return turned(draw, ["A" + "." * before + "o" + "." * ahead + "~" + "." * after + "H"])


def second_lantern(draw):
    """Whoever has a lantern must go over the square of another one."""
    before, ahead, after = draw.randrange(3), draw.randrange(1, 4), draw.randrange(4)
    between = "." * draw.randrange(3)
    row = "A" + "." * before + "o" + between + "o" + "." * ahead + "~" + "." * after + "H"
    return turned(draw, [row])


def lantern_at(draw, lead):
    """The mist reaches the lantern so many minutes after the walker, or before."""
    walk, after = draw.randrange(2, 5), draw.randrange(1, 4)
    return turned(draw, [
        "A" + "." * (walk - 1) + "o" + "." * (walk + lead - 1) + "~" + "." * after + "H",
    ])


def over_lantern(draw):
    """The mist goes over a lantern and shuts the way."""
    before, after = draw.randrange(3, 6), draw.randrange(1, 5)
    return turned(draw, [
        "A" + "." * (before + after) + "H",
        "#" * before + "o" + "#" * (after + 1),
        "#" * before + "~" + "#" * (after + 1),
    ])


def hut_at(draw, lead):
    """The mist reaches the hut so many minutes after the walker, or before."""
    walk = draw.randrange(3, 8)
    return turned(draw, ["A" + "." * (walk - 1) + "H" + "." * (walk + lead - 1) + "~"])


# Maps that are drawn.


def scattered(draw, mist, lanterns):
    height, width = draw.randrange(4, 9), draw.randrange(4, 9)
    squares = ["#" if draw.random() < 0.25 else "." for _ in range(height * width)]
    marks = "AH" + "~" * mist + "o" * lanterns
    for at, mark in zip(draw.sample(range(height * width), len(marks)), marks):
        squares[at] = mark
    return ["".join(squares[r * width : (r + 1) * width]) for r in range(height)]


def snake(draw, height, width):
    """One long way that turns at each side, with mist that comes behind and catches nobody."""
    rows, right = [], True
    for r in range(height - 1):
        if r % 2 == 0:
            rows.append("." * width)
        else:
            rows.append("#" * (width - 1) + "." if right else "." + "#" * (width - 1))
            right = not right
    start, tail = 3 + draw.randrange(20), draw.randrange(3)
    rows[0] = "." * tail + "~" + "." * (start - tail - 1) + "A" + "." * (width - start - 1)
    if height % 2 == 0:
        rows.pop()
    end = draw.randrange(width // 3, width // 2)
    rows[-1] = "." * end + "H" + "." * (width - end - 1)
    return rows


def wide(draw, height, width):
    """Ground with many rocks and some lanterns, from one corner to the other, and no mist."""
    squares = [
        ["#" if draw.random() < 0.43 else "o" if draw.random() < 0.02 else "." for _ in range(width)]
        for _ in range(height)
    ]
    # A way that is sure to be there: across, back and across again.
    first, second, third = (height * part // 4 + draw.randrange(height // 5) for part in (1, 2, 3))
    for r in range(height):
        squares[r][width - 1 if first <= r < second or r > third else 0] = "."
    for r in (first, second, third):
        squares[r] = ["."] * width
    # And none that is much shorter: who goes straight on meets rocks from side to side.
    for r, gap in (((first + second) // 2, width - 1), ((second + third) // 2, 0)):
        squares[r] = ["." if column == gap else "#" for column in range(width)]
    squares[0][0], squares[-1][-1], squares[-1][0] = "A", "H", "."
    return ["".join(row) for row in squares]


def turned(draw, rows):
    """The same map in one of the eight ways in which it can lie."""
    if draw.random() < 0.5:
        rows = rows[::-1]
    if draw.random() < 0.5:
        rows = [row[::-1] for row in rows]
    if draw.random() < 0.5:
        rows = ["".join(column) for column in zip(*rows)]
    return rows
