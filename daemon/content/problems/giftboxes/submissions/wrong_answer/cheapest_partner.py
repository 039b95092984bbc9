from bisect import bisect_left


def pack_jars(prices: list, low: int, high: int) -> list:
    """Gives each jar, cheapest first, the cheapest partner that makes a box dear enough."""
    rest = list(prices)
    boxes = 0
    while rest:
        first = rest.pop(0)
        at = bisect_left(rest, low - first)
        if at < len(rest) and first + rest[at] <= high:
            rest.pop(at)
            boxes += 1
    return [boxes, len(prices) - 2 * boxes]
