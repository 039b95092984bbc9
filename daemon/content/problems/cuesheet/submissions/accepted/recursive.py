def first_slip(text: str) -> int:
    """Each running sound is a call that ends with its stopping mark."""
    tokens, at = [], 0
    while at < len(text):
        if text[at] == '"':
            end = text.find('"', at + 1)
            if end < 0:
                tokens.append((at, '"', ""))
                break
            at = end
        elif text[at] in "+-" and text[at + 1 : at + 2].islower():
            tokens.append((at, text[at], text[at + 1]))
            at += 1
        at += 1
    slip, _ = inside(tokens, 0, "", -1)
    return slip


def inside(tokens: list, at: int, running: str, begun: int) -> tuple:
    """The first slip from here, or -1 and where to go on."""
    while at < len(tokens):
        place, sign, letter = tokens[at]
        if sign == '"' or (sign == "+" and letter in running):
            return place, at
        if sign == "-":
            return (-1, at + 1) if running[-1:] == letter else (place, at)
        slip, at = inside(tokens, at + 1, running + letter, place)
        if slip >= 0:
            return slip, at
    return begun, at
