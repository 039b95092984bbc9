"""Tries the statements of `invariants.toml` on a run: True where it bears them out, False where it
contradicts them, None where it does not speak of them."""


def check(template, choices, calls, answers):
    said = []
    for (_, (steps, pairs)), answer in zip(calls, answers):
        if isinstance(answer, list):
            known = set(steps)
            needs = {step: set() for step in steps}
            for step, other in pairs:
                if step in known and other in known:
                    needs[step].add(other)
            said += STATEMENTS[template](choices, steps, needs, answer)
    return all(said) if said else None


def needs_and_gaps(choices, steps, needs, answer):
    place = {step: at for at, step in enumerate(answer)}
    for step in set(steps) & set(place):
        others = [place.get(other, len(steps)) for other in needs[step]]
        if others:
            behind = (
                all(at > place[step] for at in others),
                all(at < place[step] for at in others),
                place[step] - 1 in others,
            )
            yield behind[choices["where"]]
    missing = set(steps) - set(place)
    needed = {other for step in steps for other in needs[step] if other != step}
    for step in missing:
        yield (step in needs[step], step not in needed, bool(needs[step] & missing))[choices["when"]]


def neighbours(choices, steps, needs, answer):
    listed = {step: at for at, step in enumerate(steps)}
    for first, second in zip(answer, answer[1:]):
        if first not in listed or second not in listed:
            yield False
            continue
        order = (len(first) > len(second), listed[first] < listed[second], first < second)
        unless = (first in needs[second], second in needs[first], not needs[second])
        yield order[choices["order"]] or unless[choices["unless"]]


STATEMENTS = {"needs_and_gaps": needs_and_gaps, "neighbours": neighbours}
