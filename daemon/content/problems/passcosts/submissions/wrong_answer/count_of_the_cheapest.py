def pass_costs(visits, kinds, free_every):
    """Keeps the cheapest sum up to each visit, and the number of passes of that sum alone."""
    if visits and not kinds:
        return -1
    best = [None] * (len(visits) + 1)
    best[0] = (0, 0)
    for at, day in enumerate(visits):
        if best[at] is None:
            continue
        total, count = best[at]
        for days, uses, price in kinds:
            end = at + 1
            while end < len(visits) and end - at < uses and visits[end] < day + days:
                end += 1
            free = free_every > 0 and (count + 1) % free_every == 0
            found = (total if free else total + price, count + 1)
            if best[end] is None or found < best[end]:
                best[end] = found
    return best[-1][0]
