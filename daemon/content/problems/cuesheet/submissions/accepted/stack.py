def first_slip(text: str) -> int:
    """A list is the stack; an entry has a letter and where it stood."""
    marks = []
    quote = -1
    for at, sign in enumerate(text):
        if sign == '"':
            quote = at if quote < 0 else -1
        if quote >= 0 or sign not in "+-":
            continue
        letter = text[at + 1 : at + 2]
        if letter < "a" or letter > "z":
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
