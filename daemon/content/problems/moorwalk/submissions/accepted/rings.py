def moor_walk(rows):
    """Moves three rings each minute: dark walkers, walkers with light, and fog."""
    width = len(rows[0]) + 1
    # One text with a rock behind each row, so that no step can leave the map.
    moor = "#" * width + "".join(row + "#" for row in rows) + "#" * width
    fog = {at for at, mark in enumerate(moor) if mark == "~"}
    front, walkers, lit = fog, {moor.index("A")}, set()
    been, been_lit = set(walkers), set()
    minute = 0
    while walkers or lit:
        minute += 1
        walkers = {at for at in ring(walkers, width, moor) if at not in fog and at not in been}
        lit = {at for at in ring(lit, width, moor) if at not in been_lit}
        lit |= {at for at in walkers if moor[at] == "o" and at not in been_lit}
        if any(moor[at] == "H" for at in walkers) or any(moor[at] == "H" for at in lit):
            return minute
        front = {at for at in ring(front, width, moor) if at not in fog}
        fog |= front
        walkers -= fog
        been |= walkers
        been_lit |= lit
    return -1


def ring(places, width, moor):
    return {
        near
        for at in places
        for near in (at - width, at - 1, at + 1, at + width)
        if moor[near] != "#"
    }
