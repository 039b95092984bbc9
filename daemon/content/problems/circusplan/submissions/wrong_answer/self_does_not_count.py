def plan(steps, needs):
    """A step that needs itself is done as if it did not."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before and step != other:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
