def caesar(text, shift):
    """Small letters moved on in the alphabet, round its end."""
    moved = []
    for letter in text:
        if "a" <= letter <= "z":
            place = ord(letter) - ord("a") + shift % 26
            moved.append(chr(ord("a") + place))
        else:
            moved.append(letter)
    return "".join(moved)
