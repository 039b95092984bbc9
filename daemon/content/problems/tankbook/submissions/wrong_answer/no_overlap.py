def count_spans(changes: list, target: int, least: int) -> int:
    """Begins anew after each span that counts."""
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
        if total - target in seen:
            count += 1
            total, totals, seen = 0, [0], {}
    return count
