def depth(value):
    """How many lists a value is nested in at most."""
    if not isinstance(value, list):
        return 0
    deepest = 0
    for part in value:
        deepest = depth(part)
    return deepest + 1
