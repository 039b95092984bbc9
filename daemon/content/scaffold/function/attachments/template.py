def longest_calm(winds: list, limit: int) -> int:
    """Return how many calm hours there were in a row, at most."""
