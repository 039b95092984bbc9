"""Tries the sentences of `invariants.toml` on one run: calls, and what came back."""


def check(template, choices, calls, answers):
    """True where the run agrees, False where it contradicts, None where it does not speak of it."""
    seen = [SENTENCES[template](choices, desk) for desk in desks(calls, answers)]
    told = [holds for one in seen for holds in one]
    return all(told) if told else None


def desks(calls, answers):
    """The events of each desk: limit, then call, arguments and answer."""
    made, desk = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "LoanDesk":
            desk = [args[0]]
            made.append(desk)
        elif name.startswith("LoanDesk@"):
            desk = made[int(name.partition("@")[2]) - 1]
        else:
            desk.append((name, args, answer))
    return made


def record(desk):
    """Each event with the loans before it, as the answers tell them."""
    loans = set()
    for name, args, answer in desk[1:]:
        yield name, args, answer, frozenset(loans)
        if name == "lend" and answer != -1:
            loans.add(tuple(args))
        if name == "give_back" and answer != -1:
            loans.discard(tuple(args))


def count(loans, person):
    return sum(owner == person for _, owner in loans)


def a_loan(choices, desk):
    for name, (tool, *rest), answer, loans in record(desk):
        if name == "lend" and answer != -1:
            owners = {owner for thing, owner in loans if thing == tool}
            place = [set(rest) & owners, not owners, owners - set(rest)][choices["place"]]
            before = count(loans, rest[0])
            wanted = [before, len(loans) + 1, before + 1][choices["count"]]
            yield bool(place) and answer == wanted


def a_return(choices, desk):
    for name, (tool, *rest), answer, loans in record(desk):
        if name == "give_back" and answer != -1:
            owners = {owner for thing, owner in loans if thing == tool}
            who = [set(rest) & owners, owners - set(rest), not owners][choices["who"]]
            before = count(loans, rest[0])
            yield bool(who) and answer == [before, 0, before - 1][choices["left"]]


def the_limit(choices, desk):
    most = [desk[0], desk[0] - 1, 1][choices["bound"]]
    said = {}
    refused = set()
    for name, args, answer, _ in record(desk):
        if name == "holder":
            continue
        person = args[-1]
        if name != "held" and answer == -1:
            refused.add(person)
            continue
        if type(answer) is not int:
            yield False
            return
        yield answer <= most
        if name == "held" and person in refused and person in said:
            yield answer == said[person] + [-1, 0, 1][choices["change"]]
        if name == "held" or person not in refused:
            refused.discard(person)
        said[person] = answer


SENTENCES = {"a_loan": a_loan, "a_return": a_return, "the_limit": the_limit}
