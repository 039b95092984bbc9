def count_spans(changes: list, target: int, least: int) -> int:
    """Counts only spans of exactly `least` days."""
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
            count += early == total - target
    return count
