def plan(steps, needs):
    """A step is free as soon as one of its needs is done."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if not before[step] or before[step] & done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
