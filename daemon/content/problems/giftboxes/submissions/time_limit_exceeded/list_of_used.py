def pack_jars(prices: list, low: int, high: int) -> list:
    """Tries all pairs, and looks through a list to know whether a jar was used."""
    used = []
    for first in range(len(prices)):
        for second in range(len(prices) - 1, first, -1):
            if first in used or second in used:
                continue
            if low <= prices[first] + prices[second] <= high:
                used += [first, second]
    return [len(used) // 2, len(prices) - len(used)]
