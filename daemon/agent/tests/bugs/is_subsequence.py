def is_subsequence(short, long):
    """Whether the letters of one text stand in the other in that order."""
    at = 0
    for letter in long:
        if at < len(short) and short[at] == letter:
            at += 1
    return at == len(long)
