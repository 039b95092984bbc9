import heapq


def fullest(visits):
    """Whoever is in the tower stands in a heap by the second of leaving."""
    ends = []
    answer = [0, -1]
    for begin, end in sorted(sorted(visit) for visit in visits):
        if begin == end:
            continue
        while ends and ends[0] <= begin:
            heapq.heappop(ends)
        heapq.heappush(ends, end)
        if len(ends) > answer[0]:
            answer = [len(ends), begin]
    return answer
