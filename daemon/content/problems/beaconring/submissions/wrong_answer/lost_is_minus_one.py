def signals(heights: list, reach: int) -> list:
    """Answers -1 where a signal is lost."""
    size = len(heights)
    steps = [-1] * size
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
