def permutations(items):
    """All orders of different items, those of earlier items first."""
    if not items:
        return []
    found = []
    for at, first in enumerate(items):
        for rest in permutations(items[:at] + items[at + 1:]):
            found.append([first] + rest)
    return found
