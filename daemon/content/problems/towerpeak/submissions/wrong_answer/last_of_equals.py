def fullest(visits):
    """Of several seconds with the greatest number it takes the last."""
    stays = [sorted(visit) for visit in visits]
    best = [0, -1]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside >= best[0]:
            best = [inside, second]
    return best
