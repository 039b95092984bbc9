def plan(steps, needs):
    """A step that needs an unknown one is never done."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
