"""Says whether a sentence of invariants.toml holds on one run of calls and their answers."""


def check(template, choices, calls, answers):
    """True: it holds on this run. False: the run contradicts it. None: it does not speak of it."""
    made = [
        (args[0], args[1], args[2], answer)
        for (_, args), answer in zip(calls, answers)
        if type(answer) is int
    ]
    rule = {"another_question": another_question, "how_many": how_many, "joined": joined}[template]
    found = [holds for holds in rule(choices, made) if holds is not None]
    return all(found) if found else None


def another_question(choices, made):
    for at, (book, target, least, count) in enumerate(made):
        for again, new_target, new_least, new_count in made[at + 1 :] + made[:at]:
            if again != book or (target, least) == (new_target, new_least):
                continue
            other = new_least == least
            longer = new_target == target and new_least > least
            shorter = new_target == target and new_least < least
            if (other, longer, shorter)[choices["change"]]:
                effects = (new_count <= count, new_count < count, new_count >= count)
                yield effects[choices["effect"]]


def how_many(choices, made):
    for book, _, least, count in made:
        days = len(book) - book.count("-")
        low = (1, least, 0)[choices["lowest"]]
        high = (days, days * (days + 1) // 2, 2 * days)[choices["highest"]]
        yield low <= count <= high


def joined(choices, made):
    between = ([], [0], ["-"])[choices["between"]]
    counts = {(tuple(book), target, least): count for book, target, least, count in made}
    for book, target, least, count in made:
        if len(book) > 200:
            continue
        for cut in range(1, len(book) - len(between)):
            rest = book[cut : cut + len(between)]
            if rest != between:
                continue
            left = counts.get((tuple(book[:cut]), target, least))
            right = counts.get((tuple(book[cut + len(between) :]), target, least))
            if left is not None and right is not None:
                total = left + right
                yield (count == max(left, right), count == total, count > total)[choices["count"]]
