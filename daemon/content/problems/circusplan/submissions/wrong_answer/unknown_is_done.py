def plan(steps, needs):
    """Names that are no steps are done, too."""
    before = {step: set() for step in steps}
    for step, other in needs:
        before.setdefault(other, set())
        before.setdefault(step, set()).add(other)
    order, done, left = [], set(), sorted(before)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
