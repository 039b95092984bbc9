"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are these with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
DRAWN = GENERATOR["hidden"](random.Random(20_261_129))


def answered(calls):
    """The calls with the answers of a model: a book is the list of its calls that changed it."""
    made, ops, book = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "SettingBook":
            book = []
            made.append(book)
        elif name.startswith("SettingBook@"):
            book = made[int(name.partition("@")[2]) - 1]
        elif name == "note":
            book.append(args)
        elif name == "erase":
            op.append(line(book, *args) is not None)
            book.append([*args, None])
        else:
            op.append(holding(book, *args))
        ops.append(op)
    return ops


def line(book, room, second):
    """The degrees of the line at exactly this second: what was last said of it."""
    said = [degrees for where, when, degrees in book if (where, when) == (room, second)]
    return said[-1] if said else None


def holding(book, room, second):
    when = {when for where, when, _ in book if where == room and when <= second}
    for earlier in sorted(when, reverse=True):
        degrees = line(book, room, earlier)
        if degrees is not None:
            return degrees
    return 999


def play(text):
    """A case from a script: "b" makes a book, "@1" goes back to the first, "fish+10=-5" notes,
    "fish-10" erases, "fish?10" asks."""
    calls = []
    for word in text.split():
        if word == "b":
            calls.append(["SettingBook", []])
        elif word[0] == "@":
            calls.append(["SettingBook" + word, []])
        elif "?" in word:
            room, second = word.split("?")
            calls.append(["degrees_at", [room, int(second)]])
        elif "+" in word:
            room, rest = word.split("+")
            calls.append(["note", [room, *map(int, rest.split("="))]])
        else:
            room, second = word.split("-")
            calls.append(["erase", [room, int(second)]])
    return answered(calls)


def made(kind, seed, *numbers):
    """A case of one of the generator's kinds."""
    return answered(GENERATOR[kind](random.Random(seed), *numbers))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_one_line",
        "Basic",
        "One line, asked at its second, later and earlier, and a room without lines",
        VISIBLE,
        play("b fish+40=-6 fish?40 fish?41 fish?90 fish?39 fruit?40"),
        [],
    ),
    (
        "test_later_line",
        "Basic",
        "A later line takes over from its own second on",
        VISIBLE,
        play("b ice+100=-15 ice+200=-18 ice?100 ice?150 ice?199 ice?200 ice?201 ice+300=0 ice?299 ice?305"),
        [],
    ),
    (
        "test_any_order",
        "Order",
        "Lines are written in any order of their seconds",
        VISIBLE,
        play(
            "b milk+900=4 milk?950 milk+100=2 milk?950 milk+500=3 milk?600 milk?100 milk?899 milk+99=5"
            " milk?98 milk?99 milk?2000"
        ),
        [],
    ),
    (
        "test_replaced_line",
        "Replace",
        "A line is written again for the same second",
        VISIBLE,
        play(
            "b herbs+10=7 herbs+20=8 herbs?10 herbs+10=9 herbs?10 herbs?15 herbs?25 herbs+20=-8 herbs?20"
            " herbs+20=0 herbs?30"
        ),
        [],
    ),
    (
        "test_erase",
        "Erase",
        "Lines are erased, and seconds without a line are",
        VISIBLE,
        play(
            "b ice+10=-20 ice+20=-22 ice+30=-24 ice?25 ice-25 ice?25 ice-20 ice?20 ice?25 ice-20 ice-10 ice?25"
            " ice?29 ice?30 ice-31 ice-30 ice?99 ice+20=-26 ice?25 ice?19"
        ),
        [],
    ),
    (
        "test_rooms",
        "Rooms",
        "Rooms with lines at the same seconds",
        VISIBLE,
        play(
            "b fish+50=-3 fruit+50=6 roots+60=8 fish?70 fruit?70 roots?59 fish-60 roots-50 fish-50 fruit?55"
            " fish?55 roots?75 fruit+50=5 fish+40=-2 fruit?45 fish?65"
        ),
        [],
    ),
    (
        "test_many_books",
        "Books",
        "Five books in turn, with the same rooms and seconds",
        HIDDEN,
        answered(DRAWN["test_many_books"]),
        made("many_books", 7, 2, 4),
    ),
    (
        "test_edges",
        "Edge Case",
        "The first and the last second, both sides of a line, and zero degrees",
        HIDDEN,
        answered(DRAWN["test_edges"]),
        made("edges", 11),
    ),
    (
        "test_mixed_calls",
        "Mixed",
        "Calls of all kinds in three rooms and several books",
        HIDDEN,
        answered(DRAWN["test_mixed_calls"]),
        made("mixed", 13, 20),
    ),
    (
        "test_long_room",
        "Large",
        "A room with very many lines, some of them replaced or erased",
        HIDDEN,
        answered(DRAWN["test_long_room"]),
        made("long_room", 17, 20),
    ),
    (
        "test_far_apart",
        "Large",
        "Very many seconds between one line and the next",
        HIDDEN,
        answered(DRAWN["test_far_apart"]),
        made("far_apart", 19, 14, 200),
    ),
]


def lines(ops):
    """The operations as JSON, a handful on each line, so that a change shows in a diff."""
    texts = [json.dumps(op, separators=(",", ":")) for op in ops]
    rows = [",".join(texts[at : at + 8]) for at in range(0, len(texts), 8)]
    return "[\n        " + ",\n        ".join(rows) + "\n      ]"


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
