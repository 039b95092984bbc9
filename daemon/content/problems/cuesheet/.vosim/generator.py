"""Gives the hidden inputs of the problem for a seed: calls by the name of their case, no answers.

What a case checks does not depend on the seed. The letters of its marks do, and the plain text in
front of them; the mixed and the long sheets are made anew.
"""

import random
import string

LETTERS = string.ascii_lowercase
# Plain text: nothing here is a sign, a quote or a small letter.
PLAIN = string.ascii_uppercase + string.digits + "    .,:;!?*()/=<>"

SIGNS = (
    "+",
    "-",
    "+K-L",
    "3+4-5",
    "+ a",
    "- b",
    "++c-c",
    "--d",
    "+-e",
    "-+f-f",
    "+g-G-g",
    "+h-",
    "+i-i+",
    "a-",
    "+{j",
    "-`k",
    "+l+",
    '+"M"m',
    '-"N"n',
    "+oak-oar",
    "+paper-ape",
)

ENDS = (
    '"',
    '""',
    '+a"',
    '+a+b"-b-a',
    '"+a"+b',
    '+a"b"-a"',
    '+a"-a"',
    '"a"-b"c',
    '+a+b+c-c',
    '+a-a+b-b+c',
    '+a"-b"-a"+c"',
    '+a"b"+b"-a',
    '""""+a"""',
    '+a+b-b"+c"+d',
    '"-a"-b',
    '+a"+a"-a',
)


def generate(seed):
    draw = random.Random(seed)
    return {
        "test_signs_in_text": calls(dressed(SIGNS, draw)),
        "test_end_of_sheet": calls(ends(draw)),
        "test_mixed_sheets": calls(mixed(draw, 90)),
        "test_long_sheet": calls(long(draw, 19_000)),
    }


def calls(texts):
    return [["first_slip", [text]] for text in texts]


def pick(draw, items):
    return items[int(draw.random() * len(items))]


def plain(draw, most):
    return "".join(pick(draw, PLAIN) for _ in range(int(draw.random() * most)))


def dressed(texts, draw):
    """The same texts with other letters, behind a piece of plain text."""
    shuffled = list(LETTERS)
    draw.shuffle(shuffled)
    other = str.maketrans(LETTERS, "".join(shuffled))
    return [plain(draw, 9) + text.translate(other) for text in texts]


def ends(draw):
    """What is open at the end; in one text the very first character is an open quote."""
    return [*dressed(ENDS, draw), '"' + plain(draw, 9)]


def mixed(draw, number):
    """Short sheets: most of them nested, then changed in one place."""
    texts = []
    for turn in range(number):
        parts = sheet(draw, 3 + turn % 7, pick(draw, ("abc", "pqr", "xyz")))
        at = int(draw.random() * len(parts))
        change = turn % 6
        if change == 1:
            del parts[at]
        elif change == 2:
            parts.insert(at, '"')
        elif change == 3:
            parts.insert(at, pick(draw, "+-") + pick(draw, "abcpqrxyz"))
        elif change == 4:
            other = int(draw.random() * len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif change == 5:
            del parts[at:]
        texts.append("".join(parts))
    return texts + certain(draw)


def certain(draw):
    """Slips that are not left to chance."""
    a, b, c = draw.sample(LETTERS, 3)
    texts = ["+a+b+a-a-b-a", "+a-a+b+c-b-c", "+a+b", '+a"-b', "-a+b-c", "+a-b-a+c"]
    texts += ['+a"-b"-a+b-b', '"+a', "+abc-acb"]
    return ["".join({"a": a, "b": b, "c": c}.get(x, x) for x in text) for text in texts]


def sheet(draw, number, letters):
    """The parts of a sheet without a slip: marks, spoken words and plain text."""
    parts, running = [], []
    for _ in range(number):
        kind = draw.random()
        if kind < 0.45 and len(running) < len(letters):
            running.append(pick(draw, [name for name in letters if name not in running]))
            parts.append("+" + running[-1])
        elif kind < 0.7 and running:
            parts.append("-" + running.pop())
        elif kind < 0.8:
            parts.append('"' + pick(draw, "+-") + pick(draw, letters) + plain(draw, 3) + '"')
        else:
            parts.append(plain(draw, 4))
    return parts + ["-" + name for name in reversed(running)]


def long(draw, length):
    """One long sheet without a slip, one with a slip near its end, one that stops too early."""
    texts = []
    for kind in ("right", "slip", "early"):
        parts = sheet(draw, length // (3 if kind == "right" else 12), LETTERS[:20])
        if kind == "slip":
            parts[-30:-30] = ["+z", plain(draw, 9), "-y", plain(draw, 9), "-x"]
        if kind == "early":
            parts += ["+z", "+y", "-y", "+x", plain(draw, 9)]
        texts.append("".join(parts)[:20_000] if kind != "right" else right("".join(parts), length))
    return texts


def right(text, length):
    """Plain text in front, up to this length."""
    return "." * (length - len(text)) + text
