from functools import lru_cache


def pass_costs(visits, kinds, free_every):
    """Costs from a visit onward, found by recursion with a cache."""
    if not visits:
        return 0
    if not kinds:
        return -1

    @lru_cache(None)
    def rest(today, got):
        if today == len(visits):
            return 0
        return min(
            paid(price, got) + rest(over(today, days, uses), turn(got)) for days, uses, price in kinds
        )

    def paid(price, got):
        return 0 if got + 1 == free_every else price

    def turn(got):
        return (got + 1) % free_every if free_every else 0

    @lru_cache(None)
    def over(today, days, uses):
        # The first visit that needs another pass.
        last = visits[today] + days - 1
        return today + sum(day <= last for day in visits[today : today + uses])

    return rest(0, 0)
