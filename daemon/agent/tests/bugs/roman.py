def roman(text):
    """The number that Roman digits stand for."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    for at, digit in enumerate(text):
        value = values[digit]
        if at + 1 < len(text) and value < values[text[at + 1]]:
            total += value
        else:
            total += value
    return total
