def longest_run(values):
    """The length of the longest run of equal values."""
    longest = 0
    length = 0
    previous = None
    for value in values:
        if value == previous:
            length += 1
        else:
            length = 1
        longest = length
        previous = value
    return longest
