def tower(discs, start, end, spare):
    """The moves that bring a tower from one peg to another."""
    if discs == 0:
        return []
    moves = tower(discs - 1, start, spare, end)
    moves.append([start, end])
    return moves + tower(discs - 1, start, end, spare)
