def fullest(visits):
    """Of several seconds with the greatest number it takes the one that is listed first."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    for second in [a for a, b in stays if a < b]:
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
