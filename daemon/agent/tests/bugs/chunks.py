def chunks(items, size):
    """Items in groups of one size; the last may be shorter."""
    groups = []
    for start in range(0, len(items), size):
        groups.append(items[start:size])
    return groups
