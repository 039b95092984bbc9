def pack_jars(prices: list, low: int, high: int) -> list:
    """Looks at each price once."""
    jars = len(prices)
    prices = sorted(set(prices))
    cheap, dear = 0, len(prices) - 1
    boxes = 0
    while cheap < dear:
        total = prices[cheap] + prices[dear]
        if total < low:
            cheap += 1
        elif total > high:
            dear -= 1
        else:
            boxes += 1
            cheap += 1
            dear -= 1
    return [boxes, jars - 2 * boxes]
