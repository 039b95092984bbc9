"""Tells whether a run of calls keeps to a sentence of invariants.toml, as far as can be seen."""


def check(template, choices, calls, answers):
    if not all(isinstance(answer, int) and not isinstance(answer, bool) for answer in answers):
        return False
    seen = [(*args, answer) for (_, args), answer in zip(calls, answers)]
    found = list(SENTENCES[template](choices, seen))
    return all(found) if found else None


def nothing_to_plan(choices, seen):
    for visits, kinds, _, answer in seen:
        if not visits:
            cheapest = min((price for _, _, price in kinds), default=0)
            yield answer == [-1, 0, cheapest][choices["empty"]]
        elif not kinds:
            yield answer == [0, len(visits), -1][choices["bare"]]


def bounds(choices, seen):
    for visits, kinds, _, answer in seen:
        if visits and kinds:
            low, high = min(kind[2] for kind in kinds), max(kind[2] for kind in kinds)
            each = low * len(visits)
            yield [low, high, each][choices["least"]] <= answer
            yield answer <= [low, each, high][choices["most"]]


def two_calls(choices, seen):
    for visits, kinds, free_every, answer in seen:
        for other_visits, other_kinds, other_free, other in seen:
            if visits != other_visits or not visits or not kinds:
                continue
            if kinds == other_kinds and free_every > 0 and other_free == 0:
                yield [answer < other, answer == other, answer <= other][choices["relation"]]
            if free_every == other_free and kinds != other_kinds and sorted(kinds) == sorted(other_kinds):
                dearest = max(kind[2] for kind in kinds)
                if choices["order"] < 2:
                    yield (answer != other) == (choices["order"] == 1)
                elif kinds[0][2] == dearest != other_kinds[0][2]:
                    yield answer > other


SENTENCES = {"nothing_to_plan": nothing_to_plan, "bounds": bounds, "two_calls": two_calls}
