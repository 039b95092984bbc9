def fullest(visits):
    """The second is that of the first visit."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, min(a for a, b in stays if a < b)]
    return best
