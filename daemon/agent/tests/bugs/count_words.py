def count_words(text):
    """How often each word occurs."""
    counts = {}
    for word in text.split():
        word = word.lower()
        counts[word] = counts.get(word, 1) + 1
    return counts
