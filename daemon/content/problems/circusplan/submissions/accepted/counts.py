import heapq


def plan(steps, needs):
    """Each step counts what it still lacks; those that lack nothing stand in a heap."""
    lacks = dict.fromkeys(steps, 0)
    frees = {step: [] for step in steps}
    for step, other in sorted({(step, other) for step, other in needs}):
        if step in lacks and other in lacks:
            lacks[step] += 1
            frees[other].append(step)
    heap = [step for step in steps if not lacks[step]]
    heapq.heapify(heap)
    order = []
    while heap:
        step = heapq.heappop(heap)
        order.append(step)
        for later in frees[step]:
            lacks[later] -= 1
            if not lacks[later]:
                heapq.heappush(heap, later)
    return order
