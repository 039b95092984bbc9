def plan(steps, needs):
    """Takes the first name of a pair for the one that comes before."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[other].add(step)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
