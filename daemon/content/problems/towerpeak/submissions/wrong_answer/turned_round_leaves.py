def fullest(visits):
    """Lets somebody who turned round not come in, but leave."""
    changes = []
    for one, other in visits:
        if one != other:
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
