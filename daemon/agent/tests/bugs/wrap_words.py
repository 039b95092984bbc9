def wrap_words(text, width):
    """The words of a text in lines of at most so many letters."""
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        else:
            line = line + " " + word if line else word
    if line:
        lines.append(line)
    return lines
