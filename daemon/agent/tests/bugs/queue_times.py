def queue_times(customers, tills):
    """When the last customer is served, each going to the till that is free first."""
    free_at = [0] * tills
    for minutes in customers:
        till = free_at.index(max(free_at))
        free_at[till] += minutes
    return max(free_at)
