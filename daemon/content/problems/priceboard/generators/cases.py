"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are of the same kinds, with other numbers.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, scripts = GENERATOR["script"], GENERATOR["SCRIPTS"]


def answered(calls):
    """The calls with the answers of a model, which knows as many boards as the calls make."""
    made, ops, board = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "PriceBoard":
            board = Model(*args)
            made.append(board)
        elif name.startswith("PriceBoard@"):
            board = made[int(name.partition("@")[2]) - 1]
        else:
            answer = getattr(board, name)(*args)
            if answer is not None:
                op.append(answer)
        ops.append(op)
    return ops


class Model:
    """The story of all writes that stand, each with the number of its step."""

    def __init__(self, depth):
        self.depth = depth
        self.story = []
        self.back = []
        self.steps = 0
        self.final = 0
        self.open = False

    def read(self, stall):
        return next((price for place, price, _ in reversed(self.story) if place == stall), 0)

    def write(self, stall, price):
        before = self.read(stall)
        self.steps += not self.open
        self.story.append((stall, price, "open" if self.open else self.steps))
        self.back = []
        return before

    def begin(self):
        self.open = True

    def end(self):
        if self.story and self.story[-1][2] == "open":
            self.steps += 1
            self.story = [
                (stall, price, self.steps if step == "open" else step)
                for stall, price, step in self.story
            ]
        self.open = False

    def undo(self):
        self.final = max(self.final, self.steps - self.depth)
        if self.open or self.steps == self.final:
            return 0
        writes = [entry for entry in self.story if entry[2] == self.steps]
        self.story = self.story[: len(self.story) - len(writes)]
        self.back.append(writes)
        self.steps -= 1
        return len(writes)

    def redo(self):
        if self.open or not self.back:
            return 0
        writes = self.back.pop()
        self.story += writes
        self.steps += 1
        return len(writes)


def play(text):
    """A case from a script such as "d2 w5=70 u": depth two, write(5, 70), then undo()."""
    return answered(script(text))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_write_and_read",
        "Basic",
        "Prices are written and read",
        VISIBLE,
        play("d3 r7 w7=20 r7 w7=25 w8=40 r8 r7 w7=0 r7 r9"),
        [],
    ),
    (
        "test_undo",
        "Undo",
        "Steps are taken back, the newest first",
        VISIBLE,
        play("d5 u w2=10 w2=15 w3=30 u r3 r2 u r2 u r2 u"),
        [],
    ),
    (
        "test_redo",
        "Redo",
        "Steps are done again, until something is written",
        VISIBLE,
        play("d5 y w4=10 w5=20 u u r4 y r4 r5 y r5 y u w6=30 y r5 u u r4"),
        [],
    ),
    (
        "test_group",
        "Groups",
        "A group is one step",
        VISIBLE,
        play("d5 w1=10 b w1=20 w2=30 w1=40 e r1 u r1 r2 y r1 r2 u u r1"),
        [],
    ),
    (
        "test_history_is_bounded",
        "History",
        "Only so many steps can be taken back",
        VISIBLE,
        play("d2 w1=10 w1=20 w1=30 w1=40 u u u r1 y y y r1"),
        [],
    ),
    (
        "test_forgotten_steps",
        "Redo",
        "What a write makes the board forget, and what does not",
        HIDDEN,
        play(scripts["test_forgotten_steps"]),
        play(
            "d8 w5=1 w5=2 w6=3 u u r5 w6=4 y r5 r6 u r6 y r6 u b w7=5 y e y u b e y r7 u b e y u"
            " w5=6 w5=6 y u r5 u r5 y y r5 u u u u u"
        ),
    ),
    (
        "test_group_borders",
        "Groups",
        "Groups without a write, groups in groups, and steps that are asked for in a group",
        HIDDEN,
        play(scripts["test_group_borders"]),
        play(
            "d8 e w5=1 b b w5=2 e e w6=3 u r6 u r5 y b u y u r5 e y r6 b e u r6 r5 b w7=4 b w7=5"
            " u e u r7 y r7 u u u u u u u u e u b w5=3 b w5=6 e u y u u"
        ),
    ),
    (
        "test_same_stall",
        "Groups",
        "A group writes the same stall several times",
        HIDDEN,
        play(scripts["test_same_stall"]),
        play(
            "d8 w5=1 b w5=2 w5=3 w6=4 w5=5 e u r5 r6 y r5 r6 b w5=0 w5=0 w6=0 w6=0 e u r5 r6 y r5"
            " u u u u r5 y y r5 w7=6 w7=6 u u r7"
        ),
    ),
    (
        "test_depth_of_one",
        "History",
        "A board that remembers one step",
        HIDDEN,
        play(scripts["test_depth_of_one"]),
        play(
            "d1 w5=1 w5=2 u r5 u r5 y r5 y u w5=3 u u r5 b w5=4 w6=5 w6=6 e u r5 r6 u y r6 b w7=7"
            " e w7=8 u u r7 y y r7"
        ),
    ),
    (
        "test_two_boards",
        "Independence",
        "Two boards are used in turn",
        HIDDEN,
        play(scripts["test_two_boards"]),
        play(
            "d1 w5=1 w5=2 d3 r5 u y w5=3 w6=4 u @1 r5 y u r5 u @2 y r6 b @1 y r5 u @2 u e u u u"
            " @1 r5 y"
        ),
    ),
    (
        "test_long_history",
        "Long",
        "Hundreds of steps, far back and forward again",
        HIDDEN,
        answered(GENERATOR["long_history"](random.Random(3), 800)),
        play(
            "d9 w1=1 w2=2 b w3=3 w1=4 w3=5 e w3=6 w1=7 w2=8 u u u u r1 r2 r3 y r3 y r1 r2 r3 y u"
            " u u u u u r1 r2 r3"
        ),
    ),
    (
        "test_mixed_day",
        "Long",
        "1,300 mixed calls",
        HIDDEN,
        answered(GENERATOR["mixed_day"](random.Random(4), 5, 1_300, 6)),
        answered(GENERATOR["mixed_day"](random.Random(11), 3, 120, 3)),
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
