def fullest(visits):
    """Raises when no visit counts."""
    stays = [sorted(visit) for visit in visits]
    best = [0, min(a for a, b in stays if a < b)]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
