"""Writes the cases of the problem to standard output, the same bytes every time.

    python3 generators/cases.py > .vosim/cases.json

Every expected answer comes from the model below, never from a submission.
"""

import json
import random
import runpy
import sys
from pathlib import Path

# The hidden inputs that a session draws are these with other letters.
GENERATOR = runpy.run_path(str(Path(__file__).parents[1] / ".vosim" / "generator.py"))
script, drawn = GENERATOR["script"], GENERATOR["generate"](20_261_129)


def answered(calls):
    """The calls with the answers of a model, which knows as many registers as the calls make."""
    made, ops, names = [], [], None
    for name, args in calls:
        op = [name, args]
        if name == "Register":
            names = {}
            made.append(names)
        elif name.startswith("Register@"):
            names = made[int(name.partition("@")[2]) - 1]
        else:
            op.append(MODEL[name](names, *args))
        ops.append(op)
    return ops


def enter(names, name):
    """The model keeps for each name whether it is in the register, and forgets none."""
    was, names[name] = names.get(name, False), True
    return not was


def strike(names, name):
    was, names[name] = names.get(name, False), False
    return was


def fitting(names, start):
    return sorted(name for name, there in names.items() if there and name[: len(start)] == start)


MODEL = {
    "add": enter,
    "remove": strike,
    "count": lambda names, start: len(fitting(names, start)),
    "first": lambda names, start, most: fitting(names, start)[:most],
}


def play(text):
    """A case from a script such as "n +ab ?a a:2": add("ab"), count("a"), then first("a", 2)."""
    return answered(script(text))


def made(kind, *numbers):
    """A case of one of the generator's kinds with these numbers, and with letters of its own."""
    return answered(GENERATOR["exchanged"](GENERATOR[kind](*numbers), random.Random(8)))


VISIBLE = True
HIDDEN = False

CASES = [
    (
        "test_count_beginnings",
        "Basic",
        "How many names begin with a text",
        VISIBLE,
        play("n ?g +gull ?g ?gu ?gull ?gulls ?h +goose +grebe ?g ?gr ?go ?u"),
        [],
    ),
    (
        "test_first_names",
        "Basic",
        "The first names in the order of the alphabet",
        VISIBLE,
        play("n k:3 +kite +knot +kea k:1 k:2 k:3 k:9 +kestrel k:3 k:9 kn:4 kx:4 k:0 +coot k:2"),
        [],
    ),
    (
        "test_entered_twice",
        "Doubles",
        "A name stands in the register once, however often it is entered",
        VISIBLE,
        play("n +swan +swan ?swan s:4 +swift +swan ?s s:4 -swan ?swan s:4 -swan +swan +swan ?s"),
        [],
    ),
    (
        "test_name_in_name",
        "Nested names",
        "A name that is the beginning of other names",
        VISIBLE,
        play("n +duck +ducks ?duck duck:5 -duck ?duck duck:5 +duck -ducks ?duck ?ducks duck:5 -du ?du -duckss ?d"),
        [],
    ),
    (
        "test_empty_beginning",
        "Edge Case",
        "Every name begins with the empty text",
        VISIBLE,
        play("n ? :3 +loon ? :3 +auk +rail ? :2 :9 :0 -auk ? :9 -loon -rail ? :1"),
        [],
    ),
    (
        "test_not_there",
        "Remove",
        "What is not there cannot be struck out, and nothing changes",
        VISIBLE,
        play("n -ibis ?i +ibis -ibi -ibiss -bis ?i i:3 -ibis -ibis ?i i:3 +ibis ?i i:3"),
        [],
    ),
    (
        "test_three_registers",
        "Independence",
        "Three registers in use at the same time",
        HIDDEN,
        answered(drawn["test_three_registers"]),
        play(
            "n +m n +m +mo @1 ? :3 ?mo n ? :3 +z @2 m:4 -m ? @1 ?m -m :4 @3 :4 -m @1 ? +mi :3 @2 ? :3"
            " @3 ? :3 +y +a :4"
        ),
    ),
    (
        "test_nested_names",
        "Nested names",
        "Names that are beginnings of each other, struck out one by one",
        HIDDEN,
        answered(drawn["test_nested_names"]),
        play(
            "n +papa +pa +p +pap ?p ?pa ?pap ?papas p:9 pa:2 pap:0 -pa ?pa pa:9 -pa +pa -p p:9 ?p -papa"
            " ?pap pap:9 -pap ?pap p:9 +papb +papa pa:9 -pa pa:9 q:2 ?b b:2"
        ),
    ),
    (
        "test_out_and_in",
        "Remove",
        "Names that are struck out and entered again",
        HIDDEN,
        answered(drawn["test_out_and_in"]),
        play(
            "n +tod -tod ?tod ?to ? tod:3 :3 -tod -t -to +to ?tod -tod ?to to:3 -to ? +tod +tod ?t -to ?t"
            " -tod ? :3 +t +tod -t ?t t:3 +t t:3 -tod t:3 -tod t:3"
        ),
    ),
    (
        "test_long_names",
        "Nested names",
        "A name of 30 letters and all its beginnings",
        HIDDEN,
        answered(drawn["test_long_names"]),
        made("long_names", 8),
    ),
    (
        "test_many_firsts",
        "Basic",
        "Lists of every length from names in a mixed order",
        HIDDEN,
        answered(drawn["test_many_firsts"]),
        made("many_firsts", 8),
    ),
    (
        "test_long_mix",
        "Stress",
        "About 2,000 mixed calls with hundreds of names",
        HIDDEN,
        answered(drawn["test_long_mix"]),
        made("long_mix", random.Random(1), 24, 90),
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
