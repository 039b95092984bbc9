def fullest(visits):
    """If no visit counts, the answer is None."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best if best[0] else None
