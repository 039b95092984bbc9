def moor_walk(rows: list[str]) -> int:
    """Return the minutes of the shortest walk from `A` to `H`, or -1 if there is none."""
