def average_by_name(marks):
    """The rounded down mean of the marks of each name."""
    sums, counts = {}, {}
    for name, mark in marks:
        sums[name] = sums.get(name, 0) + mark
        counts[name] = counts.get(name, 0) + 1
    return {name: sums[name] // len(counts) for name in sums}
