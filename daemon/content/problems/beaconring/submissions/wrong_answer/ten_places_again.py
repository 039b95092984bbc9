def signals(heights: list, reach: int) -> list:
    """Once around the ring, and then only ten places more."""
    size = len(heights)
    steps = [0 if height else -1 for height in heights]
    waiting = []
    for turn in range(size + min(size, 10)):
        height = heights[turn % size]
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if height and turn < size:
            waiting.append(turn)
    return steps
