def plan(steps, needs):
    """Of several free steps it does the one whose name comes last."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps, reverse=True)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
