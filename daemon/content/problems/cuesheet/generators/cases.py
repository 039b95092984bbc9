"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import re
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are of the same kinds.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
calls, dressed, mixed, long = (GENERATOR[name] for name in ("calls", "dressed", "mixed", "long"))

TOKEN = re.compile(r'"[^"]*"?|[+-][a-z]')


def answered(ops):
    """The calls with the answers of the model."""
    return [[name, args, slip(*args)] for name, args in ops]


def slip(text):
    """Takes one sheet apart into spoken words and marks; what runs is a word of letters."""
    running, started = "", {}
    for token in TOKEN.finditer(text):
        words, place = token.group(), token.start()
        if words == '"' or words[0] == '"' != words[-1]:
            return place
        if words[0] == "+":
            if words[1] in running:
                return place
            running += words[1]
            started[words[1]] = place
        elif words[0] == "-":
            if not running.endswith(words[1]):
                return place
            running = running[:-1]
    return started[running[-1]] if running else -1


def play(*texts):
    return answered(calls(texts))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_plain_text",
        "Plain text",
        "Texts without any mark",
        VISIBLE,
        play("", "The lamp goes out.", "Act 2: 3+4 = 7?"),
        [],
    ),
    (
        "test_nested_sounds",
        "Nesting",
        "Sounds that lie inside each other",
        VISIBLE,
        play("+s-s", "+s The sea. +g Gulls. -g-s", "+a+b-b+c+d-d-c-a", "+n-n+n-n", "+q+t-t+t-t-q"),
        [],
    ),
    (
        "test_crossing_sounds",
        "Stopping",
        "A stopping mark names a sound that was not started last",
        VISIBLE,
        play("+s+g-s-g", "A+p B+o C-p", "+u-v", "+e+f-f-e+e+h-e"),
        [],
    ),
    (
        "test_nothing_runs",
        "Stopping",
        "A stopping mark where no sound is running",
        VISIBLE,
        play("-c", "One. +c Two. -c Three. -c", "+x-x-y+z"),
        [],
    ),
    (
        "test_started_twice",
        "Starting",
        "A starting mark for a sound that is running",
        VISIBLE,
        play("+w+w-w-w", "+i+j+i", "+o-o +l+o +l"),
        [],
    ),
    (
        "test_spoken_words",
        "Quotes",
        "Marks between quotes are spoken words",
        VISIBLE,
        play('"-t"', '+h "-h" -h', 'He: "+m" She: "-m" -m', '"Oh" +y "my" -y'),
        [],
    ),
    (
        "test_still_running",
        "End",
        "Something is still open at the end",
        VISIBLE,
        play("Rain. +r", "+r", "+r+b", "+r+b-b +k", 'Who said "yes', '"Who', '+r "No'),
        [],
    ),
    (
        "test_signs_in_text",
        "Plain text",
        "Signs that are no marks",
        HIDDEN,
        answered(calls(dressed(GENERATOR["SIGNS"], random.Random(1)))),
        play(
            *("+", "1-", "+A-B", "++m-m", "+-m", "+n-N-n"),
            *("- o", "+p-p-", "+s+", "+[q", "-`r", "-{s", '-"T"t', "+van-vet"),
        ),
    ),
    (
        "test_end_of_sheet",
        "End",
        "Quotes and sounds at the end of the sheet",
        HIDDEN,
        answered(calls(GENERATOR["ends"](random.Random(2)))),
        play(
            *('O"', '+m"', '+m+n"-n-m', '"+m"+n', '+m"o"-m"', '+m"-m"', '"o"-m"n', "+m+n+o-o", '"'),
            *("+m-m+n", '+m+n-n"+o"+p', '""""+m"""', '"-m"-n', '+m"+m"-m'),
        ),
    ),
    (
        "test_long_sheet",
        "Long",
        "Sheets of many thousand characters",
        HIDDEN,
        answered(calls(long(random.Random(3), 19_000))),
        answered(calls(long(random.Random(4), 240))),
    ),
    (
        "test_mixed_sheets",
        "Mixed",
        "Short sheets, most of them with one slip",
        HIDDEN,
        answered(calls(mixed(random.Random(5), 90))),
        answered(calls(mixed(random.Random(6), 48))),
    ),
]


def lines(ops):
    """The operations as JSON, a handful on each line, so that a change shows in a diff."""
    texts = [json.dumps(op, separators=(",", ":")) for op in ops]
    rows = [",".join(texts[at : at + 4]) for at in range(0, len(texts), 4)]
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
