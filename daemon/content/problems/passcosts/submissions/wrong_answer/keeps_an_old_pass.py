from functools import cache


def pass_costs(visits, kinds, free_every):
    """Gets a pass in between, and goes on with the old one afterwards."""
    if visits and not kinds:
        return -1

    @cache
    def best(at, count, last=0, left=0):
        if at == len(visits):
            return 0
        if left == 0 or visits[at] > last:
            if last > 0:
                return best(at, count)
            costs = []
        else:
            costs = [best(at + 1, count, last, left - 1)]
        for days, uses, price in kinds:
            end = at + 1
            while end < len(visits) and end - at < uses and visits[end] < visits[at] + days:
                end += 1
            free = count + 1 == free_every
            after = (count + 1) % free_every if free_every else 0
            costs.append((0 if free else price) + best(end, after, last, left))
            if uses > 1:
                begun = best(at + 1, after, visits[at] + days - 1, uses - 1)
                costs.append((0 if free else price) + begun)
        return min(costs)

    return best(0, 0)
