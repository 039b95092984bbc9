def change(coins, amount):
    """The fewest coins that make an amount, or -1."""
    best = [0] + [None] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total and best[total - coin] is None:
                count = best[total - coin] + 1
                if best[total] is None or count < best[total]:
                    best[total] = count
    return -1 if best[amount] is None else best[amount]
