def longest_calm(winds, limit):
    longest = now = 0
    for wind in winds:
        now = now + 1 if wind < limit else 0
        longest = max(longest, now)
    return longest
