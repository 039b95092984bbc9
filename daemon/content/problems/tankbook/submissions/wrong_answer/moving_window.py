def count_spans(changes: list, target: int, least: int) -> int:
    """Moves a window: longer while the sum is too small, shorter while it is too large."""
    count, start, inside = 0, 0, 0
    for day, change in enumerate(changes):
        if change == "-":
            start, inside = day + 1, 0
            continue
        inside += change
        while inside > target and start < day:
            inside -= changes[start]
            start += 1
        if inside == target and day - start + 1 >= least:
            count += 1
    return count
