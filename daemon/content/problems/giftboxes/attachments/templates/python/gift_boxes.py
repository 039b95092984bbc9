def pack_jars(prices: list, low: int, high: int) -> list:
    """Return how many boxes can be filled, and how many jars stay on the shelf."""
