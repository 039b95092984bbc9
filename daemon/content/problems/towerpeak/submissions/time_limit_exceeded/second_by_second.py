def fullest(visits):
    """Asks at every second how many are in the tower."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    first = min((a for a, b in stays), default=0)
    last = max((b for a, b in stays), default=0)
    for second in range(first, last):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
