def find_first(items, wanted):
    """The first place of a value in a sorted list, or -1."""
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle
        else:
            high = middle
    if low < len(items) and items[low] == wanted:
        return low
    return -1
