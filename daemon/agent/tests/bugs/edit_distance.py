def edit_distance(first, second):
    """How many letters must be changed, added or removed."""
    if not first:
        return len(second)
    if not second:
        return len(first)
    if first[0] == second[0]:
        return edit_distance(first[1:], second[1:])
    return 1 + min(
        edit_distance(first[1:], second),
        edit_distance(first, second[1:]),
        edit_distance(first[1:], second),
    )
