def first_slip(text: str) -> int:
    """Judges every beginning of the text anew, from the shortest to the longest."""
    for length in range(2, len(text) + 1):
        if broken(text[:length]):
            return length - 2
    quote, running = read(text)
    if quote >= 0:
        return quote
    return running[-1][1] if running else -1


def broken(text: str) -> bool:
    """Whether the last two characters are a mark that is a slip."""
    if text[-2] not in "+-" or not "a" <= text[-1] <= "z":
        return False
    quote, running = read(text[:-2])
    letters = [letter for letter, _ in running]
    if quote >= 0:
        return False
    if text[-2] == "+":
        return text[-1] in letters
    return letters[-1:] != [text[-1]]


def read(text: str) -> tuple:
    """The open quote and the running sounds of a text without a slip."""
    quote, running = -1, []
    for at, sign in enumerate(text):
        if sign == '"':
            quote = at if quote < 0 else -1
        following = text[at + 1 : at + 2]
        if quote < 0 and "a" <= following <= "z":
            if sign == "+":
                running = running + [(following, at)]
            if sign == "-":
                running = running[:-1]
    return quote, running
