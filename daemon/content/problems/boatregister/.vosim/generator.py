"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. Its letters do: they are exchanged for others in the
same order; and of the long mixed case also which call comes when.
"""

import random

LETTERS = "abcdefghijklmnopqrstuvwxyz"

# "n" makes a register, "@1" goes back to the first one, "+abc" is add("abc"), "-abc" is
# remove("abc"), "?ab" is count("ab") and "ab:3" is first("ab", 3). A lone sign has the empty text.
THREE_REGISTERS = (
    "n +b +bd n +bd ?b @1 ?b n ? :4 +c @2 b:4 -bd ? @1 ?bd -b :4 @3 :4 -b -c @1 +b @2 ? :3 @1 ? :3"
    " @3 ? +b +bd :4 @2 +e :4 @1 :4"
)
NESTED = (
    "n +bdbd +bd +b +bdb ?b ?bd ?bdb ?bdbd ?bdbde b:9 bd:2 bdb:0 -bd ?bd ?b bd:9 -bd +bd -b b:9 ?b"
    " -bdbd ?bdb ?bdbd bd:9 -bdbd -bdb ?bdb bdb:9 b:9 +bdbe +bdbc bd:9 -bd ?bd bd:9 ?bdbe ?c c:5"
)
OUT_AND_IN = (
    "n +cab -cab ?cab ?ca ?c ? cab:3 :3 -cab -c -ca +ca ?cab ?ca -cab ?ca ca:3 -ca ? +cab +cab ?c"
    " -ca ?c c:3 -cab -cab ? :3 +c +cab -c ?c c:3 +c c:3 -cab c:3 -cab c:3"
)


def generate(seed):
    draw = random.Random(seed)
    return {name: exchanged(calls, draw) for name, calls in hidden(draw).items()}


def hidden(draw):
    """The drawn cases with the letters in which they were thought of."""
    return {
        "test_three_registers": script(THREE_REGISTERS),
        "test_nested_names": script(NESTED),
        "test_out_and_in": script(OUT_AND_IN),
        "test_long_names": long_names(30),
        "test_many_firsts": many_firsts(24),
        "test_long_mix": long_mix(draw, 1_000, 1_960),
    }


def script(text):
    return [call(word) for word in text.split()]


def call(word):
    kind, rest = word[0], word[1:]
    if word == "n":
        return ["Register", []]
    if kind == "@":
        return ["Register" + word, []]
    if kind in "+-?":
        return [{"+": "add", "-": "remove", "?": "count"}[kind], [rest]]
    start, _, most = word.partition(":")
    return ["first", [start, int(most)]]


def long_names(length):
    """A name and all its beginnings, which are entered and struck out in two other orders."""
    whole = "bdf" * length
    calls = [["Register", []]]
    for letters in range(length, 0, -1):
        calls += [["add", [whole[:letters]]], ["count", [whole[: letters // 2]]]]
    calls += [["first", ["", length]], ["first", [whole[:4], 3]], ["count", [whole[: length - 1]]]]
    for letters in range(1, length + 1, 2):
        calls += [["remove", [whole[:letters]]], ["count", [whole[:letters]]]]
    return calls + [["first", [whole[:6], length]], ["first", ["", 2]], ["count", [""]]]


def many_firsts(count):
    """Names of three letters in a mixed order, then the first ones of each number."""
    calls = [["Register", []]]
    for at in range(count):
        mixed = at * 7 % count
        calls.append(["add", ["bdfh"[mixed // 6 % 4] + "cgk"[mixed // 2 % 3] + "aemq"[mixed % 4]]])
    for most in range(count + 2):
        calls += [["first", ["", most]], ["first", ["bdfh"[most % 4], most // 3]]]
    return calls


def long_mix(draw, filling, count):
    """New names at first, then all calls mixed. Names share their beginnings."""
    calls, names = [["Register", []], ["count", [""]], ["first", ["", 3]]], []
    while len(calls) < count:
        chance = draw.random() * (1 if len(calls) > filling else 0.5)
        known = names[int(draw.random() * len(names))] if names else "a"
        part = known[: int(draw.random() * (len(known) + 1))]
        if chance < 0.45:
            name = part + "".join("bdfh"[int(draw.random() * 4)] for _ in range(3))
            names.append(name[:30])
            calls.append(["add", [names[-1]]])
        elif chance < 0.6:
            calls.append(["remove", [known]])
        elif chance < 0.8:
            calls.append(["count", [part]])
        else:
            calls.append(["first", [part, int(draw.random() * 5)]])
    return calls + [["first", ["", 1_000]]]


def exchanged(calls, draw):
    """The same calls with other letters in the same order."""
    used = sorted({letter for _, args in calls for letter in "".join(map(str, args)) if letter in LETTERS})
    new = str.maketrans("".join(used), "".join(sorted(draw.sample(LETTERS, len(used)))))
    return [
        [name, [arg.translate(new) if isinstance(arg, str) else arg for arg in args]]
        for name, args in calls
    ]
