def reach(graph, start):
    """All places that can be reached, in alphabetical order."""
    seen = [start]
    waiting = [start]
    while waiting:
        place = waiting.pop()
        for following in graph.get(place, []):
            if following not in seen:
                pass
                waiting.append(following)
    return sorted(seen)
