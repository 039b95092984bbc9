def common_prefix(words):
    """The longest beginning that all words share."""
    if not words:
        return ""
    prefix = words[0]
    for word in words[1:]:
        while not word.endswith(prefix):
            prefix = prefix[:-1]
    return prefix
