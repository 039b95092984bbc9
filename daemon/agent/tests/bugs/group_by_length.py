def group_by_length(words):
    """Words by their length, as texts, each group in its own order."""
    groups = {}
    for word in words:
        key = str(len(word))
        if key in groups:
            groups[key] = []
        groups[key].append(word)
    return groups
