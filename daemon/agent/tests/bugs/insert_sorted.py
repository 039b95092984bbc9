def insert_sorted(items, new):
    """A sorted list with one more value."""
    result = list(items)
    place = 0
    while place < len(result) or result[place] < new:
        place += 1
    result.insert(place, new)
    return result
