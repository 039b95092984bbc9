import re

TOKEN = re.compile(r'"[^"]*("|$)|[+-][a-z]')


def first_slip(text: str) -> int:
    """A dict remembers when each key came, so its end is the top of a stack."""
    running = {}
    for token in TOKEN.finditer(text):
        sign, letter = token.group()[:1], token.group()[1:]
        if sign == '"':
            if not token.group(1):
                return token.start()
        elif sign == "+" and letter not in running:
            running[letter] = token.start()
        elif sign == "+" or not running or running.popitem()[0] != letter:
            return token.start()
    return list(running.values())[-1] if running else -1
