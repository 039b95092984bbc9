from bisect import bisect_right


def pack_jars(prices: list, low: int, high: int) -> list:
    """Gives each jar, cheapest first, the dearest partner that the upper bound allows."""
    rest = list(prices)
    boxes = left = 0
    while rest:
        first = rest.pop(0)
        at = bisect_right(rest, high - first) - 1
        if at >= 0 and first + rest[at] >= low:
            del rest[at]
            boxes += 1
        else:
            left += 1
    return [boxes, left]
