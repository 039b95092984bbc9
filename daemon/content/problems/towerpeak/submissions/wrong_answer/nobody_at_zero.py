def fullest(visits):
    """If no visit counts, the second is 0."""
    stays = [sorted(visit) for visit in visits]
    best = [0, 0]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
