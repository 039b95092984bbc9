def balanced(text):
    """Whether every bracket is closed by one of its own sort."""
    closing = {")": "(", "]": "[", "}": "{"}
    open_brackets = []
    for sign in text:
        if sign in "([{":
            open_brackets.append(sign)
        elif sign in closing:
            if not open_brackets or open_brackets.pop() != closing[sign]:
                return False
    return True
