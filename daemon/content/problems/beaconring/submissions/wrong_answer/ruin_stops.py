def signals(heights: list, reach: int) -> list:
    """Lets no signal pass over a ruin."""
    size = len(heights)
    steps = [0 if height else -1 for height in heights]
    waiting = []
    for turn in range(2 * size):
        height = heights[turn % size]
        if height == 0:
            waiting.clear()
        while waiting and heights[waiting[-1]] < height:
            place = waiting.pop()
            if turn - place <= reach:
                steps[place] = turn - place
        if height and turn < size:
            waiting.append(turn)
    return steps
