"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed: it is put together from the same scenes. Which badge
plays which scene, when it begins, in which order they come and how long the window is, does.
"""

import random

BADGE_MAX, TIME_MAX = 1_000_000_000, 1_000_000_000_000


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_sliding": sliding(draw, 4),
        "test_two_gates": two_gates(draw),
        "test_one_visit": one_visit(draw),
        "test_mixed": mixed(draw, 3),
        "test_far_times": far_times(draw),
        "test_long_day": long_day(draw, 1_488),
    }


def script(text, shift=0, badges=None):
    """Calls from a text such as "2/10 6@31 f6@33": a gate, then a visit of badge 6 and a question.

    "@1" goes back to the first gate."""
    calls = []
    for word in text.split():
        left, at, right = word.partition("@")
        if not at:
            calls.append(["RateGate", [int(number) for number in left.split("/")]])
        elif not left:
            calls.append(["RateGate" + word, []])
        else:
            badge = int(left.lstrip("f"))
            badge = badges[badge] if badges else badge
            calls.append(["free" if left[0] == "f" else "enter", [badge, int(right) + shift]])
    return calls


def numbers(draw, count, least, most):
    """So many different numbers."""
    found = set()
    while len(found) < count:
        found.add(least + int(draw.random() * (most - least + 1)))
    found = sorted(found)
    draw.shuffle(found)
    return found


def scenes(window):
    """What one badge does at a gate with three visits in a window: minutes from the first visit on.

    A pair whose second part is true is a question."""
    visit, ask = (lambda *times: [(time, False) for time in times]), (lambda time: [(time, True)])
    return {
        "edge": visit(0, 1, 2, window - 1, window, window, window + 1),
        "cross": visit(0, 0, 1, 3, 4),
        "first": visit(0, window - 2, window - 1) + visit(*[window + 1] * 3),
        "away": visit(0, 0, 0, 2, 3) + visit(*[window] * 4),
        "asked": [(0, True)] * 4 + visit(0) + ask(0) + visit(1, 2, 2) + ask(2),
        "later": visit(0, 1) + ask(window - 1) + ask(window) + ask(window + 3),
        "same": visit(0, 0) + ask(0) + visit(0, 0),
        "gone": visit(0, 1, 2) + visit(*[2 * window + 2] * 4) + ask(2 * window + 2),
        "new": ask(0) + visit(0),
    }


def call(badge, time, is_question):
    return ["free" if is_question else "enter", [badge, time]]


def start_of(name, draw, window):
    """One scene begins just before a time that the window divides, the others anywhere."""
    at = window * (2 + int(draw.random() * 9))
    return at - 2 if name == "cross" else at + int(draw.random() * window)


def sliding(draw, rounds):
    """One badge, all scenes one after the other, far enough apart, and again."""
    window = 7 + int(draw.random() * 40)
    [badge] = numbers(draw, 1, 10, BADGE_MAX)
    calls, clock = [["RateGate", [3, window]], ["free", [badge, 0]]], 0
    for _ in range(rounds):
        played = scenes(window)
        names = sorted(played)
        draw.shuffle(names)
        for name in names:
            start = clock + start_of(name, draw, window)
            calls += [call(badge, start + time, question) for time, question in played[name]]
            clock = start + played[name][-1][0]
            clock += 2 * window - clock % window
    return calls


def day(draw, window, copies):
    """Many badges, a scene each, at the same time: calls in the order of their times."""
    played = scenes(window)
    names = sorted(played) * copies
    badges = numbers(draw, len(names), 10, BADGE_MAX)
    calls = []
    for badge, name in zip(badges, names):
        start = start_of(name, draw, window)
        calls += [call(badge, start + time, question) for time, question in played[name]]
    # What one badge does keeps its order.
    return sorted(calls, key=lambda made: made[1][1])


def mixed(draw, copies):
    """Two gates with windows of their own, in turn."""
    windows = numbers(draw, 2, 8, 60)
    days = [day(draw, window, copies) for window in windows]
    calls = [["RateGate", [3, window]] for window in windows]
    at = 1
    while days[0] or days[1]:
        if not days[at] or (days[1 - at] and draw.random() < 0.3):
            at = 1 - at
            calls.append(["RateGate@%d" % (at + 1), []])
        calls.append(days[at].pop(0))
    return calls + crowd(draw, 400)


def crowd(draw, badges):
    """So many badges within one window at a gate of their own; the first ones come again."""
    window = 1_000 + int(draw.random() * 1_000)
    time = int(draw.random() * 100_000)
    came = numbers(draw, badges, 10, BADGE_MAX)
    calls = [["RateGate", [1, window]]]
    calls += [["enter", [badge, time + at]] for at, badge in enumerate(came)]
    calls += [[name, [badge, time + badges]] for badge in came[:5] for name in ("free", "enter")]
    return calls + [["enter", [badge, time + window]] for badge in came[:2]]



def two_gates(draw):
    """The same badges at two gates, first of one size and then of different ones."""
    one, two = numbers(draw, 2, 10, BADGE_MAX)
    shift = int(draw.random() * 100_000)
    return script(
        "2/20 1@0 1@1 2/20 1@0 f1@2 1@2 1@3 @1 f1@3 1@4 2@4 f2@4 @2 f2@5 2@5 @1 1@20 1@20"
        " 1/50 3/5 1@30 1@31 1@32 1@33 f1@35 @3 1@30 1@40 f1@40 2@41 @4 1@41 f1@41 @3 f2@42 1@80",
        shift, {1: one, 2: two},
    )


def one_visit(draw):
    """The smallest sizes: one visit, and a window of one minute."""
    badge, other = numbers(draw, 2, 10, BADGE_MAX)
    start = 1 + int(draw.random() * 100_000)
    window = 3 + int(draw.random() * 50)
    calls = [["RateGate", [1, 1]], ["free", [badge, 0]]]
    calls += [["enter", [badge, 0]], ["free", [badge, 0]]]
    times = [0, 1, start, start, start + 1, start + 1, start + 7]
    calls += [["enter", [badge, time]] for time in times] + [["free", [badge, start + 8]]]
    calls += [["RateGate", [1, window]], ["enter", [badge, 0]], ["free", [badge, window - 1]]]
    times = [window - 1, window, window + 1, 2 * window - 1, 2 * window]
    calls += [["enter", [badge, time]] for time in times]
    calls += [["enter", [other, 2 * window]], ["free", [other, 3 * window - 1]]]
    return calls + [["free", [badge, 3 * window]]]


def far_times(draw):
    """A long window, across 32 bits and up to the latest time."""
    [badge] = numbers(draw, 1, 10, BADGE_MAX)
    window = 200_000_000 + int(draw.random() * 800_000_000)
    first = 2**31 - 1 - int(draw.random() * 100_000_000)
    calls = [["RateGate", [2, window]]]
    for time in (first, 2**32 + int(draw.random() * 1000), TIME_MAX - window):
        calls += [["enter", [badge, time]]] * 2
        calls += [["enter", [badge, time + window - 1]], ["free", [badge, time + window - 1]]]
        calls += [["free", [badge, time + window]]]
    # The greatest limit, with the longest window and with a short one at the first times.
    calls += [["RateGate", [1_000, 1_000_000_000]], ["enter", [badge, 0]]]
    calls += [["free", [badge, 999_999_999]], ["RateGate", [1_000, 3]]]
    calls += [["enter", [badge, time]] for time in (5, 6, 7)]
    return calls + [["free", [badge, 7]]]


def long_day(draw, visits):
    """So many visits of few badges at a gate with a large limit and a long window."""
    limit, window = 410 + int(draw.random() * 40), 1_000_000
    often, seldom, edge, gone = numbers(draw, 4, 10, BADGE_MAX)
    time = int(draw.random() * 100_000)
    calls = [["RateGate", [limit, window]], ["free", [seldom, time]]]
    for at in range(visits):
        time += int(draw.random() * 2_500)
        kind = draw.random()
        if kind < 0.1:
            calls.append(["free", [often if kind < 0.07 else seldom, time]])
        else:
            calls.append(["enter", [seldom if kind < 0.2 else often, time]])
    time += 1
    calls += [["enter", [edge, time]]] * 2
    calls += [["free", [edge, time + later]] for later in (0, window - 1, window)]
    time += window
    calls += [["enter", [gone, time]]] * 3
    return calls + [[name, [gone, time + 3 * window]] for name in ("enter", "free")]
