from bisect import bisect_right
from collections import defaultdict


def count_spans(changes: list, target: int, least: int) -> int:
    """Keeps the places at which each sum was reached, and searches those that are early enough."""
    places, height, found = defaultdict(list), 0, 0
    places[height].append(0)
    for day, change in enumerate(changes, 1):
        if change == "-":
            places.clear()
            height = 0
        else:
            height += change
            found += bisect_right(places.get(height - target, ()), day - least)
        places[height].append(day)
    return found
