def pack_jars(prices: list, low: int, high: int) -> list:
    """Counts only the jars that were passed over."""
    cheap, dear = 0, len(prices) - 1
    boxes = left = 0
    while cheap < dear:
        total = prices[cheap] + prices[dear]
        if total < low:
            cheap += 1
            left += 1
        elif total > high:
            dear -= 1
            left += 1
        else:
            boxes += 1
            cheap += 1
            dear -= 1
    return [boxes, left]
