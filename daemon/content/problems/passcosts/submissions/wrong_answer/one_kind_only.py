def pass_costs(visits, kinds, free_every):
    """Plans with passes of a single kind, and takes the best kind."""
    if not visits or not kinds:
        return -1 if visits else 0
    totals = []
    for days, uses, price in kinds:
        at = count = total = 0
        while at < len(visits):
            start = at
            while at < len(visits) and at - start < uses and visits[at] < visits[start] + days:
                at += 1
            count += 1
            if free_every == 0 or count % free_every != 0:
                total += price
        totals.append(total)
    return min(totals)
