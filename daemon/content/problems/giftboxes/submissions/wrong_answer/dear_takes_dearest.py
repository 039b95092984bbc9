from bisect import bisect_right


def pack_jars(prices: list, low: int, high: int) -> list:
    """Gives each jar, dearest first, the dearest partner that the upper bound allows."""
    rest = list(prices)
    boxes = 0
    while rest:
        first = rest.pop()
        at = bisect_right(rest, high - first) - 1
        if at >= 0 and first + rest[at] >= low:
            del rest[at]
            boxes += 1
    return [boxes, len(prices) - 2 * boxes]
