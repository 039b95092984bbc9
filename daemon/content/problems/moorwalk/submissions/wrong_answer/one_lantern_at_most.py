from collections import deque

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def moor_walk(rows: list[str]) -> int:
    """Does not let a walker with a lantern step onto the square of another."""
    squares = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    misty_from = when_mist_comes(squares)
    start = next(place for place, mark in squares.items() if mark == "A")
    minutes = {(start, False): 0}
    line = deque(minutes)
    while line:
        place, carrying = line.popleft()
        minute = minutes[place, carrying] + 1
        for square in neighbours(place, squares):
            mark = squares[square]
            mist = misty_from.get(square)
            if carrying and mark == "o":
                continue
            if not carrying and mist is not None:
                # Walkers move first: equal is early enough for "H" and "o".
                if mist < minute or (mist == minute and mark not in "Ho"):
                    continue
            if mark == "H":
                return minute
            state = square, carrying or mark == "o"
            if state not in minutes:
                minutes[state] = minute
                line.append(state)
    return -1


def when_mist_comes(squares):
    times = {place: 0 for place, mark in squares.items() if mark == "~"}
    line = deque(times)
    while line:
        place = line.popleft()
        for square in neighbours(place, squares):
            if square not in times:
                times[square] = times[place] + 1
                line.append(square)
    return times


def neighbours(place, squares):
    r, c = place
    for down, right in STEPS:
        square = r + down, c + right
        if squares.get(square, "#") != "#":
            yield square
