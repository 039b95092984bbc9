def pack_jars(prices: list, low: int, high: int) -> list:
    """Ends the range of all totals one too early."""
    cheap, dear = 0, len(prices) - 1
    boxes = 0
    while cheap < dear:
        total = prices[cheap] + prices[dear]
        if total < low:
            cheap += 1
        elif total not in range(low, min(high + 1, 200_000)):
            dear -= 1
        else:
            boxes += 1
            cheap += 1
            dear -= 1
    return [boxes, len(prices) - 2 * boxes]
