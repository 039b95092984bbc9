"""Tries the sentences of `invariants.toml` on one run: calls, and what came back."""


def check(template, choices, calls, answers):
    """True where the run agrees, False where it contradicts, None where it does not speak of it."""
    seen = [SENTENCES[template](choices, *board) for board in boards(calls, answers)]
    told = [holds for one in seen for holds in one]
    return all(told) if told else None


def boards(calls, answers):
    """The depth and the events of each board: call, arguments, answer, writes of the open group."""
    made, board = [], None
    for (name, args), answer in zip(calls, answers):
        if name == "PriceBoard":
            board = args[0], [], [None]
            made.append(board)
            continue
        if name.startswith("PriceBoard@"):
            board = made[int(name.partition("@")[2]) - 1]
            continue
        _, events, group = board
        if name in ("read", "write", "undo", "redo") and type(answer) is not int:
            answer = -1
        events.append((name, args, answer, group[0]))
        if name == "begin" and group[0] is None:
            group[0] = 0
        elif name == "end":
            group[0] = None
        elif name == "write" and group[0] is not None:
            group[0] += 1
    return [(depth, events) for depth, events, _ in made]


def there_and_back(choices, _, events):
    known, before, between, number, back = {}, {}, {}, 0, False
    for name, args, answer, group in events:
        if name == "read":
            if back and args[0] in before:
                shown = [between.get(args[0], answer), 0, before[args[0]]]
                yield answer == shown[choices["shown"]]
            if number:
                between[args[0]] = answer
            else:
                known[args[0]] = answer
        elif name == "redo" and number and group is None:
            yield answer == [number + 1, number, 0][choices["number"]]
            back, number, known = True, 0, dict(before)
        else:
            back, number = False, 0
            if name == "undo" and group is None and answer > 0:
                before, between, number = dict(known), {}, answer
            known = {**known, args[0]: args[1]} if name == "write" else {}


def after_a_write(choices, _, events):
    fresh, undone, writes = False, 0, 0
    for name, args, answer, group in events:
        if name == "redo" and fresh and group is None:
            yield [answer == 0, answer == undone, answer > 0][choices["redo"]]
        if name == "undo" and fresh and group is None:
            yield answer == [0, writes, 1][choices["undo"]]
        if name == "undo":
            undone = answer
        writes += name == "write"
        if name != "read":
            fresh = name == "write" and group is None


def the_bound(choices, depth, events):
    row = 0
    for name, args, answer, group in events:
        if name == "undo" and group is not None:
            yield [answer > 0, answer == 0, answer == group][choices["open"]]
        elif name == "undo":
            row += answer > 0
            yield row <= [depth, 1, depth - 1][choices["most"]]
        elif name != "read":
            row = 0


SENTENCES = {
    "there_and_back": there_and_back,
    "after_a_write": after_a_write,
    "the_bound": the_bound,
}
