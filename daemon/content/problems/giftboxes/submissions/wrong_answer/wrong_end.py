def pack_jars(prices: list, low: int, high: int) -> list:
    """Passes over the jar at the other end."""
    cheap, dear = 0, len(prices) - 1
    boxes = 0
    while cheap < dear:
        total = prices[cheap] + prices[dear]
        if total > high:
            cheap += 1
        elif total < low:
            dear -= 1
        else:
            boxes += 1
            cheap += 1
            dear -= 1
    return [boxes, len(prices) - 2 * boxes]
