import re


def first_slip(text: str) -> int:
    """Takes all small letters behind a sign for the name of the sound."""
    marks = []
    quote = -1
    for found in re.finditer(r'"|[+-]([a-z]+)', text):
        at, name = found.start(), found[1]
        if found[0] == '"':
            quote = at if quote < 0 else -1
        elif quote >= 0:
            continue
        elif text[at] == "+":
            if name in [other for other, _ in marks]:
                return at
            marks.append((name, at))
        elif not marks or marks[-1][0] != name:
            return at
        else:
            marks.pop()
    if quote >= 0:
        return quote
    return marks[-1][1] if marks else -1
