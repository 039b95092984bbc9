def signals(heights: list, reach: int) -> list:
    """Reads behind the last place."""
    size = len(heights)
    steps = [0 if height else -1 for height in heights]
    waiting = []
    for turn in range(2 * size):
        height = heights[turn]
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if height and turn < size:
            waiting.append(turn)
    return steps
