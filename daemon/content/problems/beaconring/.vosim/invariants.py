"""Tries the sentences of `invariants.toml` on one run: calls, and what came back."""


def check(template, choices, calls, answers):
    """True where the run agrees, False where it contradicts, None where it does not speak of it."""
    told = []
    for (_, (heights, reach)), answer in zip(calls, answers):
        if type(answer) is not list or len(answer) != len(heights):
            return False
        # The largest rings say nothing that smaller ones do not.
        if len(heights) <= 200:
            for place in range(len(heights)):
                told += SENTENCES[template](choices, heights, reach, answer, place)
    return all(told) if told else None


def ahead(heights, place, number):
    """The heights of so many places that follow, at most all others."""
    number = min(number, len(heights) - 1)
    return [heights[(place + way) % len(heights)] for way in range(1, number + 1)]


def what_the_numbers_are(choices, heights, reach, answer, place):
    way = answer[place]
    if type(way) is not int:
        yield False
    elif heights[place] == 0:
        yield way == [0, 1, -1][choices["ruin"]]
    else:
        yield [way == 0 or way > reach, 0 <= way <= reach, way >= 1][choices["range"]]


def who_gets_it(choices, heights, reach, answer, place):
    way, height = answer[place], heights[place]
    if type(way) is not int or way < 1 or height == 0:
        return
    other = heights[(place + way) % len(heights)]
    yield [other > height, other == height, other < height][choices["that"]]
    for between in ahead(heights, place, way - 1):
        yield [between < height, between == 0, between <= height][choices["between"]]


def who_loses_it(choices, heights, reach, answer, place):
    height = heights[place]
    if answer[place] == 0 and height:
        for other in ahead(heights, place, reach):
            yield not [other > height, other == height, 0 < other < height][choices["other"]]
    if height and height == max(heights):
        yield answer[place] == [1, 0, len(heights)][choices["tallest"]]


SENTENCES = {
    "what_the_numbers_are": what_the_numbers_are,
    "who_gets_it": who_gets_it,
    "who_loses_it": who_loses_it,
}
