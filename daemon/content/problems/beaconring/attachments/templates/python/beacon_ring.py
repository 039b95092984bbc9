def signals(heights: list, reach: int) -> list:
    """Return for each place how far its signal travels: 0 if it is lost, -1 for a ruin."""
