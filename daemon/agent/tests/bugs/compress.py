def compress(text):
    """Runs of a letter as the letter and its count."""
    parts = []
    count = 0
    for at, letter in enumerate(text):
        count += 1
        if at + 1 == len(text) or text[at + 1] != letter:
            parts.append(letter + str(count))
            count = 1
    return "".join(parts)
