"""Tries the statements of `invariants.toml` on a run: True where it bears them out, False where it
contradicts them, None where it does not speak of them."""


def check(template, choices, calls, answers):
    said = []
    for (_, args), answer in zip(calls, answers):
        fair = isinstance(answer, list) and len(answer) == 2
        if fair and answer[0] != 0:
            stays = [(min(visit), max(visit)) for visit in args[0]]
            said.append(STATEMENTS[template](choices, stays, *answer))
    return all(said) if said else None


def fair_answer(choices, stays, most, second):
    count = [stay for stay in stays if stay[0] < stay[1]]
    begins = {begin for begin, _ in count}
    bound = (most == len(stays), most <= len(count), most <= len(begins))[choices["bound"]]
    ends = {end for _, end in count}
    events = (begins, ends, {begin for begin, end in stays if begin == end})
    return bound and second in events[choices["event"]]


def first_moment(choices, stays, most, second):
    who = (
        sum(begin == second < end for begin, end in stays),
        inside(stays, second),
        sum(begin <= second <= end for begin, end in stays),
    )
    earlier = inside(stays, second - 1)
    before = (earlier > most, earlier == most, earlier < most)
    return who[choices["who"]] == most and before[choices["before"]]


def inside(stays, second):
    return sum(begin <= second < end for begin, end in stays)


STATEMENTS = {"fair_answer": fair_answer, "first_moment": first_moment}
