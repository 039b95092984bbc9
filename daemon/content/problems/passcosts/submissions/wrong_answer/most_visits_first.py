def pass_costs(visits, kinds, free_every):
    """Takes the pass that covers most visits."""
    if visits and not kinds:
        return -1
    at = count = total = 0
    while at < len(visits):
        options = []
        for days, uses, price in kinds:
            end = at + 1
            while end < len(visits) and end - at < uses and visits[end] < visits[at] + days:
                end += 1
            due = 0 if count + 1 == free_every else price
            options.append((-end, due))
        end, due = min(options, key=lambda option: option[0])
        at, total = -end, total + due
        count = (count + 1) % free_every if free_every else 0
    return total
