def steps_up(stairs):
    """In how many ways stairs can be climbed by one or two at a time."""
    if stairs < 2:
        return 1
    before, now = 1, 1
    for _ in range(stairs):
        before, now = now, before + now
    return now
