from collections import Counter
from itertools import accumulate, groupby


def count_spans(changes: list, target: int, least: int) -> int:
    """Counts each stretch between two dashes by itself."""
    dash = lambda change: change == "-"
    parts = (list(part) for is_dash, part in groupby(changes, dash) if not is_dash)
    return sum(in_section(part, target, least) for part in parts)


def in_section(changes: list, target: int, least: int) -> int:
    sums = list(accumulate(changes, initial=0))
    before = Counter()
    found = 0
    for early, late in zip(sums, sums[least:]):
        before[early] += 1
        found += before[late - target]
    return found
