def count_spans(changes: list, target: int, least: int) -> int:
    """Return how many spans of at least `least` days have the total `target`."""
