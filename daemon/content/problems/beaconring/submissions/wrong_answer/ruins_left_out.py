def signals(heights: list, reach: int) -> list:
    """Counts the beacons on the way and not the places."""
    places, heights = heights, [height for height in heights if height]
    size = len(heights)
    steps = [0 if height else -1 for height in heights]
    waiting = []
    for turn in range(2 * size):
        height = heights[turn % size]
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if height and turn < size:
            waiting.append(turn)
    found = iter(steps)
    return [next(found) if height else -1 for height in places]
