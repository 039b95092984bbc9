def plan(steps, needs):
    """Steps that can never be done stand at the end."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order + left
        left.remove(free)
        done.add(free)
        order.append(free)
