STEPS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


def moor_walk(rows):
    """Looks at every square of the map in every minute."""
    height, width = len(rows), len(rows[0])
    moor = ["#" * (width + 2)] + [f"#{row}#" for row in rows] + ["#" * (width + 2)]
    places = [(r, c) for r in range(1, height + 1) for c in range(1, width + 1)]
    mist = {at for at in places if moor[at[0]][at[1]] == "~"}
    plain = {at for at in places if moor[at[0]][at[1]] == "A"}
    lit = set()
    for minute in range(1, 2 * height * width + 2):
        lit = {at for at in places if near(at, lit, moor)}
        plain = {at for at in places if at not in mist and near(at, plain, moor)}
        lit |= {at for at in plain if moor[at[0]][at[1]] == "o"}
        if any(moor[r][c] == "H" for r, c in plain | lit):
            return minute
        mist = {at for at in places if near(at, mist, moor)}
        plain -= mist
    return -1


def near(at, crowd, moor):
    r, c = at
    return moor[r][c] != "#" and any((r + i, c + j) in crowd for i, j in STEPS)
