def pass_costs(visits: list[int], kinds: list[list[int]], free_every: int) -> int:
    """Return the smallest sum for which passes cover all visits; -1 if there are no passes."""
