def plan(steps, needs):
    """An unknown name raises."""
    before = {step: set() for step in steps}
    for step, other in needs:
        before[step].add(other)
        assert before[other] is not None
    order, done, left = [], set(), sorted(steps)
    while True:
        free = next((step for step in left if before[step] <= done), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
