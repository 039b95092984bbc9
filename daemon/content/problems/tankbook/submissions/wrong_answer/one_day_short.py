def count_spans(changes: list, target: int, least: int) -> int:
    """Takes spans that are one day too short."""
    least = max(1, least - 1)
    count = 0
    total, totals, seen = 0, [0], {}
    for change in changes:
        if change == "-":
            total, totals, seen = 0, [0], {}
            continue
        total += change
        totals.append(total)
        if len(totals) > least:
            early = totals[-1 - least]
            seen[early] = seen.get(early, 0) + 1
        count += seen.get(total - target, 0)
    return count
