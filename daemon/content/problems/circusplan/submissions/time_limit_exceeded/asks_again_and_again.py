def plan(steps, needs):
    """Follows all needs of a step to its very beginning, each time anew."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)

    def possible(step, path):
        if step in path:
            return False
        return all(possible(other, path | {step}) for other in before[step])

    order, left = [], sorted(step for step in steps if possible(step, frozenset()))
    while left:
        free = next(step for step in left if before[step] <= set(order))
        left.remove(free)
        order.append(free)
    return order
