def pack_jars(prices: list, low: int, high: int) -> list:
    """Notes the jars of each price in a table that has room for small prices only."""
    table = [0] * 10_000
    for price in prices:
        table[price] += 1
    shelf = [price for price in range(10_000) for _ in range(table[price])]
    boxes = 0
    while len(shelf) > 1:
        total = shelf[0] + shelf[-1]
        if total >= low:
            shelf.pop()
        if total <= high:
            shelf.pop(0)
        boxes += low <= total <= high
    return [boxes, len(prices) - 2 * boxes]
