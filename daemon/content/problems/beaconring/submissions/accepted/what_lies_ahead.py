def signals(heights: list, reach: int) -> list:
    """Backward, twice around; the stack has what can be seen from here, nearest on top."""
    size = len(heights)
    steps = [0] * size
    ahead = []
    for turn in reversed(range(2 * size)):
        here = heights[turn % size]
        while ahead and ahead[-1][0] <= here:
            ahead.pop()
        if turn < size:
            far = ahead[-1][1] - turn if ahead else reach + 1
            steps[turn] = -1 if here == 0 else far if far <= reach else 0
        ahead.append((here, turn))
    return steps
