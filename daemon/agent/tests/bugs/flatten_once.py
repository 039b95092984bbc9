def flatten_once(lists):
    """The items of several lists in one."""
    flat = []
    for items in lists:
        flat.append(items)
    return flat
