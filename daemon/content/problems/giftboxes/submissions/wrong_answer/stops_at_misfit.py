def pack_jars(prices: list, low: int, high: int) -> list:
    """Ends with the first pair that does not fit."""
    cheap, dear = 0, len(prices) - 1
    boxes = 0
    while cheap < dear:
        total = prices[cheap] + prices[dear]
        if not low <= total <= high:
            break
        boxes += 1
        cheap += 1
        dear -= 1
    return [boxes, len(prices) - 2 * boxes]
