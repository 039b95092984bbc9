def interleave(first, second):
    """Items of two lists in turn, then what is left of the longer."""
    mixed = []
    shorter = max(len(first), len(second))
    for at in range(shorter):
        mixed.append(first[at])
        mixed.append(second[at])
    return mixed + first[shorter:] + second[shorter:]
