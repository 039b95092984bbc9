def plan(steps, needs):
    """Does all steps that are free together before it looks again."""
    before = {step: set() for step in steps}
    for step, other in needs:
        if step in before and other in before:
            before[step].add(other)
    order, done, left = [], set(), sorted(steps)
    while True:
        free = [step for step in left if before[step] <= done]
        if not free:
            return order
        left = [step for step in left if step not in free]
        done.update(free)
        order += free
