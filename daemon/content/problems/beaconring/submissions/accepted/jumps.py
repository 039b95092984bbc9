def signals(heights: list, reach: int) -> list:
    """Follows what later places have found."""
    ring = heights + heights
    following = [0] * len(ring)
    for place in range(len(ring) - 1, -1, -1):
        other = place + 1
        while other < len(ring) and ring[other] <= ring[place]:
            other = following[other]
        following[place] = other
    answers = []
    for place, height in enumerate(heights):
        way = following[place] - place
        if height == 0:
            answers.append(-1)
        elif following[place] < len(ring) and way <= reach:
            answers.append(way)
        else:
            answers.append(0)
    return answers
