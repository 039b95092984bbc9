def fullest(visits):
    """Counts a visit with two equal seconds for one second."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    for second in sorted({a for a, b in stays}):
        inside = sum(a <= second < max(b, a + 1) for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
