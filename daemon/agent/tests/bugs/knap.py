def knap(weights, values, room):
    """The most value that fits into a bag, each thing taken once at most."""
    best = [0] * (room + 1)
    for at in range(len(weights)):
        for space in range(room, weights[at] - 1, -1):
            best[space] = max(best[space], best[space - weights[at]] + values[space])
    return best[room]
