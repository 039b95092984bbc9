def signals(heights: list, reach: int) -> list:
    """Takes a ruin for a beacon of height 0."""
    size = len(heights)
    steps = [0] * size
    waiting = []
    for turn in range(2 * size):
        height = heights[turn % size]
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if turn < size:
            waiting.append(turn)
    return steps
