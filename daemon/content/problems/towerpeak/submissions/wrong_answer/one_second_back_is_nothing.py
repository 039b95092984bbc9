def fullest(visits):
    """Passes over a visit of one second that was written the wrong way round."""
    changes = []
    for one, other in visits:
        if other not in (one, one - 1):
            changes.append((min(one, other), 1))
            changes.append((max(one, other), -1))
    # At equal seconds -1 sorts before 1.
    changes.sort()
    inside = most = 0
    when = -1
    for second, change in changes:
        inside += change
        if inside > most:
            most, when = inside, second
    return [most, when]
