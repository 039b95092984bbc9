import heapq


def plan(steps, needs):
    """Compares only the first ten letters; equal ones keep the order of the list."""
    lacks = dict.fromkeys(steps, 0)
    frees = {step: [] for step in steps}
    for step, other in {(step, other) for step, other in needs}:
        if step in lacks and other in lacks:
            lacks[step] += 1
            frees[other].append(step)
    places = {step: (step[:10], at) for at, step in enumerate(steps)}
    heap = [(places[step], step) for step in steps if not lacks[step]]
    heapq.heapify(heap)
    order = []
    while heap:
        _, step = heapq.heappop(heap)
        order.append(step)
        for later in frees[step]:
            lacks[later] -= 1
            if not lacks[later]:
                heapq.heappush(heap, (places[later], later))
    return order
