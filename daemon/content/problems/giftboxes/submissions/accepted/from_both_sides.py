from collections import deque


def pack_jars(prices: list, low: int, high: int) -> list:
    """Takes jars off both sides of a double-ended queue."""
    shelf = deque(prices)
    boxes = 0
    while len(shelf) > 1:
        if shelf[0] + shelf[-1] > high:
            shelf.pop()
        elif shelf.popleft() + shelf[-1] >= low:
            shelf.pop()
            boxes += 1
    return [boxes, len(prices) - 2 * boxes]
