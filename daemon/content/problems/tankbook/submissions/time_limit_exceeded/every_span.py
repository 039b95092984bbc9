def count_spans(changes: list, target: int, least: int) -> int:
    """Goes on from each first day to the end of the book."""
    found = 0
    for first in range(len(changes)):
        height = 0
        for last in range(first, len(changes)):
            if changes[last] == "-":
                break
            height += changes[last]
            if height == target and last - first + 1 >= least:
                found += 1
    return found
