def bubble(values):
    """Values in order, by exchanging neighbours."""
    ordered = list(values)
    for last in range(len(ordered) - 1, 0, -1):
        for at in range(last - 1):
            if ordered[at] > ordered[at + 1]:
                ordered[at], ordered[at + 1] = ordered[at + 1], ordered[at]
    return ordered
