def plan(steps, needs):
    """If there is a circle, the answer is empty."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return [] if left else order
        left.remove(free)
        done.add(free)
        order.append(free)
