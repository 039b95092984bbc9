def fullest(visits):
    """Leaves out visits whose seconds are the wrong way round."""
    stays = [visit for visit in visits if visit[0] <= visit[1]]
    best = [0, -1]
    for second in sorted({a for a, b in stays if a < b}):
        inside = sum(a <= second < b for a, b in stays)
        if inside > best[0]:
            best = [inside, second]
    return best
