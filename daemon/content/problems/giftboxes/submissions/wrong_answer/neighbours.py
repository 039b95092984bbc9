def pack_jars(prices: list, low: int, high: int) -> list:
    """Packs jars that stand side by side."""
    at = boxes = 0
    while at + 1 < len(prices):
        if low <= prices[at] + prices[at + 1] <= high:
            boxes += 1
            at += 1
        at += 1
    return [boxes, len(prices) - 2 * boxes]
