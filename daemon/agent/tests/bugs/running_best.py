def running_best(values):
    """The largest value up to each place."""
    best = []
    top = None
    for value in values:
        if top is None or value < top:
            top = value
        best.append(top)
    return best
