def palindromes(words):
    """The words that read the same both ways, capitals taken for small letters."""
    found = []
    for word in words:
        plain = word.lower()
        if plain == word[::-1]:
            found.append(word)
    return found
