def count_spans(changes: list, target: int, least: int) -> int:
    """Counts spans of any length."""
    count = 0
    total, totals, seen = 0, [0], {}
    for change in changes:
        if change == "-":
            total, totals, seen = 0, [0], {}
            continue
        total += change
        totals.append(total)
        if len(totals) > 1:
            early = totals[-2]
            seen[early] = seen.get(early, 0) + 1
        count += seen.get(total - target, 0)
    return count
