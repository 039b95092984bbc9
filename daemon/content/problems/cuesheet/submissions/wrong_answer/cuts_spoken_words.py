def first_slip(text: str) -> int:
    """Cuts out what is spoken, so that a sign and a letter on both sides of it become a mark."""
    rest = []
    quote = -1
    for at, sign in enumerate(text):
        if sign == '"':
            quote = at if quote < 0 else -1
        elif quote < 0:
            rest.append((at, sign))
    marks = []
    for (at, sign), (_, letter) in zip(rest, rest[1:]):
        if sign not in "+-" or letter < "a" or letter > "z":
            continue
        if sign == "+":
            if letter in [name for name, _ in marks]:
                return at
            marks.append((letter, at))
        elif not marks or marks[-1][0] != letter:
            return at
        else:
            marks.pop()
    if quote >= 0:
        return quote
    return marks[-1][1] if marks else -1
