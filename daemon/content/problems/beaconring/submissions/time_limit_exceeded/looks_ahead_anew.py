def signals(heights: list, reach: int) -> list:
    """Looks ahead from each place anew."""
    size = len(heights)
    answers = []
    for place, height in enumerate(heights):
        if height == 0:
            answers.append(-1)
            continue
        found = 0
        for way in range(1, min(reach, size - 1) + 1):
            if heights[(place + way) % size] > height:
                found = way
                break
        answers.append(found)
    return answers
