def gap_sum(numbers):
    """The sum of the distances between neighbours."""
    total = 0
    for at in range(1, len(numbers)):
        total += numbers[at] - numbers[at - 1]
    return total
