from collections import deque

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def moor_walk(rows):
    """Walks as if there were no mist."""
    squares = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    mist = {at: 0 for at, mark in squares.items() if mark == "~"}
    line = deque(mist)
    while line:
        r, c = line.popleft()
        for i, j in STEPS:
            at = r + i, c + j
            if at not in mist and squares.get(at, "#") != "#":
                mist[at] = mist[r, c] + 1
                line.append(at)
    start = next(at for at, mark in squares.items() if mark == "A")
    line, seen = deque([(start, False, 0)]), {(start, False)}
    while line:
        (r, c), lit, minute = line.popleft()
        minute += 1
        for i, j in STEPS:
            at = r + i, c + j
            mark = squares.get(at, "#")
            left = mist.get(at, 99999) - minute
            if mark == "#":
                continue
            if mark == "H":
                return minute
            state = at, lit or mark == "o"
            if state not in seen:
                seen.add(state)
                line.append((*state, minute))
    return -1
