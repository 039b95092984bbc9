"""Says whether a sentence of invariants.toml holds on one run of calls and their answers."""


def check(template, choices, calls, answers):
    """True: it holds on this run. False: the run contradicts it. None: it does not speak of it."""
    made = [
        (args[0], args[1], args[2], answer)
        for (_, args), answer in zip(calls, answers)
        if type(answer) is list and len(answer) == 2
    ]
    rule = {"jars_add_up": adds_up, "more_room": more_room, "nothing_fits": nothing_fits}[template]
    found = [holds for holds in rule(choices, made) if holds is not None]
    return all(found) if found else None


def adds_up(choices, made):
    for prices, _, high, (boxes, left) in made:
        jars = len(prices) - (1, 2, 3)[choices["times"]] * boxes
        dear = sum(price > high for price in prices)
        yield (jars == dear, jars in (0, 1), jars == left)[choices["rest"]]


def more_room(choices, made):
    for prices, low, high, (boxes, _) in made:
        for again, new_low, new_high, (other, _) in made:
            if again != prices or (low, high) == (new_low, new_high):
                continue
            higher = new_low == low and new_high > high
            lower = new_high == high and new_low > low
            if (higher, lower, True)[choices["change"]]:
                yield (other > boxes, other <= boxes, other >= boxes)[choices["effect"]]


def nothing_fits(choices, made):
    for prices, low, high, (boxes, _) in made:
        if len(prices) < 2:
            continue
        pairs = (prices[0] + prices[1], prices[-2] + prices[-1], prices[0] + prices[-1])
        total = pairs[choices["which"]]
        if (total < low, total > high, total == low)[choices["total"]]:
            yield boxes == 0
