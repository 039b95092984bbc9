from bisect import bisect_left


def pass_costs(visits: list[int], kinds: list[list[int]], free_every: int) -> int:
    """Has too few columns for the longest round, so that its last pass is never reached."""
    if visits and not kinds:
        return -1
    columns = min(max(free_every, 1), 9)
    table = [[0] * columns for _ in range(len(visits) + 1)]
    for first in range(len(visits) - 1, -1, -1):
        options = [
            (table[min(first + uses, bisect_left(visits, visits[first] + days))], price)
            for days, uses, price in kinds
        ]
        for column in range(columns):
            gift = free_every > 0 and column == free_every - 1
            onward = (column + 1) % columns
            table[first][column] = min(
                rest[onward] + (0 if gift else price) for rest, price in options
            )
    return table[0][0]
