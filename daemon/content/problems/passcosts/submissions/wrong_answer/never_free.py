from functools import cache


def pass_costs(visits, kinds, free_every):
    """No pass is free."""
    if visits and not kinds:
        return -1

    @cache
    def best(at, count):
        if at == len(visits):
            return 0
        costs = []
        for days, uses, price in kinds:
            end = at + 1
            while end < len(visits) and end - at < uses and visits[end] < visits[at] + days:
                end += 1
            after = (count + 1) % free_every if free_every else 0
            costs.append(price + best(end, after))
        return min(costs)

    return best(0, 0)
