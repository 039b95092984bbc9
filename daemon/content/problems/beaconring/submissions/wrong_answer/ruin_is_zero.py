def signals(heights: list, reach: int) -> list:
    """Answers 0 for a ruin."""
    size = len(heights)
    steps = [0] * size
    waiting = []
    for turn in range(2 * size):
        height = heights[turn % size]
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if height and turn < size:
            waiting.append(turn)
    return steps
