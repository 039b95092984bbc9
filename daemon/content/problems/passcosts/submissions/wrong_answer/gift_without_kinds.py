from functools import cache


def pass_costs(visits, kinds, free_every):
    """Takes the first pass for a gift where nothing is on sale."""
    if visits and not kinds:
        return 0 if free_every else -1

    @cache
    def best(at, count):
        if at == len(visits):
            return 0
        costs = []
        for days, uses, price in kinds:
            end = at + 1
            while end < len(visits) and end - at < uses and visits[end] < visits[at] + days:
                end += 1
            free = count + 1 == free_every
            after = (count + 1) % free_every if free_every else 0
            costs.append((0 if free else price) + best(end, after))
        return min(costs)

    return best(0, 0)
