def plan(steps, needs):
    """Each copy of a pair has to be met anew."""
    before = {step: [] for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].append(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        met = {step: len(done & set(before[step])) for step in left}
        free = next((step for step in left if len(before[step]) <= met[step]), None)
        if free is None:
            return order
        left.remove(free)
        done.add(free)
        order.append(free)
