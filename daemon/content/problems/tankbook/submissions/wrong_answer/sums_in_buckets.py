def count_spans(changes: list, target: int, least: int) -> int:
    """Keeps the totals in a table of fixed size, where different ones can meet."""
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
            seen[early % 4099] = seen.get(early % 4099, 0) + 1
        count += seen.get((total - target) % 4099, 0)
    return count
