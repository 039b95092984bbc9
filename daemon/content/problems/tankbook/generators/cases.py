"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
import textwrap
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
book, drawn = GENERATOR["book"], GENERATOR["generate"](20_261_129)


def spans(changes, target, least):
    """Every span by itself, as the rules say it."""
    count = 0
    for first in range(len(changes)):
        for days in range(least, len(changes) - first + 1):
            span = changes[first : first + days]
            count += "-" not in span and sum(span) == target
    return count


def halved(changes, target, least):
    """The same for long books: the spans of the left half, of the right one and across."""
    if len(changes) < 40:
        return spans(changes, target, least)
    middle = len(changes) // 2
    left, right = changes[:middle], changes[middle:]
    ends = {}
    for days, total in enumerate(totals(reversed(left)), 1):
        ends.setdefault(total, []).append(days)
    across = 0
    for days, total in enumerate(totals(right), 1):
        across += sum(days + other >= least for other in ends.get(target - total, []))
    return across + halved(left, target, least) + halved(right, target, least)


def totals(changes):
    total = 0
    for change in changes:
        if change == "-":
            return
        total += change
        yield total


def answered(calls):
    """The calls with the answers of a model."""
    return [[name, args, halved(*args)] for name, args in calls]


def play(*books):
    return answered(["count_spans", [book(text), *rest]] for text, *rest in books)


def made(kind, *arguments):
    """A case of one of the generator's kinds from a seed of its own."""
    return answered(GENERATOR[kind](random.Random(77), *arguments))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_dry_and_rainy",
        "Basic",
        "Days above and below zero",
        VISIBLE,
        play(
            ("3 4", 7, 1),
            ("3 4", 4, 1),
            ("5 -3 2 -4 4", 4, 1),
            ("5 -3 2 -4 4", -5, 1),
            ("8 -2", 9, 1),
        ),
        [],
    ),
    (
        "test_shared_days",
        "Overlaps",
        "Spans that share days all count",
        VISIBLE,
        play(("2 -2 2", 2, 1), ("1 -1 1 -1", 0, 1), ("0 0 0 0 0 0", 0, 1), ("4 0 4", 4, 1)),
        [],
    ),
    (
        "test_least_days",
        "Least days",
        "The same book with different least lengths",
        VISIBLE,
        play(
            *(("3 -1 1 3 0 3", 3, least) for least in (1, 2, 3, 4, 6, 7)),
            *(("1 1 1 1", 3, least) for least in (2, 3, 4)),
        ),
        [],
    ),
    (
        "test_dashes",
        "Dashes",
        "A dash parts the book",
        VISIBLE,
        play(
            ("6 - 2", 8, 1),
            ("6 - 2 6", 8, 1),
            ("-", 0, 1),
            ("1 1 - 1 1 - 2", 2, 1),
            ("10 - 13", 3, 1),
        ),
        [],
    ),
    (
        "test_joined_books",
        "Dashes",
        "Two books alone, and joined in three ways",
        VISIBLE,
        play(
            ("4 -1 2", 5, 1),
            ("3 2 5", 5, 1),
            ("4 -1 2 - 3 2 5", 5, 1),
            ("4 -1 2 3 2 5", 5, 1),
            ("4 -1 2 0 3 2 5", 5, 1),
        ),
        [],
    ),
    (
        "test_small_books",
        "Limits",
        "No day, one day, and a least length beyond the book",
        VISIBLE,
        play(("", 0, 1), ("9", 9, 1), ("0", 0, 1), ("9", 0, 1), ("5 5", 10, 3)),
        [],
    ),
    (
        "test_between_dashes",
        "Dashes",
        "Books with many dashes and with days of no change",
        HIDDEN,
        answered(drawn["test_between_dashes"]),
        made("scaled", GENERATOR["DASHES"]),
    ),
    (
        "test_shortest_spans",
        "Least days",
        "Spans that are just long enough, and just not",
        HIDDEN,
        answered(drawn["test_shortest_spans"]),
        made("scaled", GENERATOR["LEAST"]),
    ),
    (
        "test_large_changes",
        "Limits",
        "Totals beyond 32 bits",
        HIDDEN,
        answered(drawn["test_large_changes"]),
        made("large_changes"),
    ),
    (
        "test_many_books",
        "Mixed",
        "Sixty short books",
        HIDDEN,
        answered(drawn["test_many_books"]),
        made("many_books", 20),
    ),
    (
        "test_long_book",
        "Large",
        "20,000 days",
        HIDDEN,
        answered(drawn["test_long_book"]),
        made("long_book", 4_000),
    ),
]


def lines(ops):
    """The operations as JSON, in lines that a diff can show."""
    texts = ",".join(json.dumps(op, separators=(",", ":")) for op in ops)
    rows = textwrap.wrap(texts.replace(",", ", "), 92, break_on_hyphens=False)
    return "[\n        " + "\n        ".join(row.replace(", ", ",") for row in rows) + "\n      ]"


def document():
    blocks = []
    for name, category, description, visible, ops, twin in CASES:
        fields = [
            f'"name": {json.dumps(name)}',
            f'"category": {json.dumps(category)}',
            f'"description": {json.dumps(description)}',
            f'"visible": {json.dumps(visible)}',
            f'"ops": {lines(ops)}',
        ]
        if twin:
            fields.append(f'"twin": {lines(twin)}')
        blocks.append("    {\n      " + ",\n      ".join(fields) + "\n    }")
    return '{\n  "cases": [\n' + ",\n".join(blocks) + "\n  ]\n}\n"


if __name__ == "__main__":
    sys.stdout.write(document())
