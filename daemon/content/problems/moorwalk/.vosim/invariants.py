"""Tells whether a run of calls keeps to a sentence of invariants.toml, as far as can be seen."""


def check(template, choices, calls, answers):
    verdict = None
    for (_, (rows,)), answer in zip(calls, answers):
        kept = SENTENCES[template](choices, rows, answer)
        if kept is False:
            return False
        verdict = verdict or kept
    return verdict


def straight_steps(choices, rows, answer):
    (top, left), (bottom, right) = place(rows, "A"), place(rows, "H")
    straight = abs(top - bottom) + abs(left - right)
    if answer == -1:
        return None
    if not whole(answer):
        return False
    least = [answer >= straight, answer <= straight, answer > straight]
    parity = [answer % 2 == 0, answer % 2 == 1, answer % 2 == straight % 2]
    return least[choices["least"]] and parity[choices["parity"]]


def next_to_the_start(choices, rows, answer):
    around = [look(rows, *square) for square in beside(*place(rows, "A"))]
    if "H" in around:
        if choices["near"] == 2:
            hut = [look(rows, *square) for square in beside(*place(rows, "H"))]
            return None if "~" in hut and answer != 1 else "~" not in hut and answer == 1
        return answer == choices["near"]
    if all(mark in "#~" for mark in around):
        return answer == [-1, 0, len(rows)][choices["shut"]]
    return None


def bounds(choices, rows, answer):
    if answer == -1:
        return None
    if not whole(answer):
        return False
    open_ground = sum(len(row) - row.count("#") for row in rows)
    least = [2, 1, len(rows)][choices["least"]]
    most = [len(rows[0]), len(rows) + len(rows[0]), 2 * open_ground][choices["most"]]
    return least <= answer < most


SENTENCES = {
    "straight_steps": straight_steps,
    "next_to_the_start": next_to_the_start,
    "bounds": bounds,
}


def place(rows, mark):
    return next((r, row.index(mark)) for r, row in enumerate(rows) if mark in row)


def beside(r, c):
    return [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]


def look(rows, r, c):
    return rows[r][c] if 0 <= r < len(rows) and 0 <= c < len(rows[0]) else "#"


def whole(answer):
    return isinstance(answer, int) and not isinstance(answer, bool)
