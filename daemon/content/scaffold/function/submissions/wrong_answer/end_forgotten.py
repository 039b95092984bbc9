def longest_calm(winds, limit):
    longest = now = 0
    for wind in winds:
        if wind <= limit:
            now += 1
        else:
            longest = max(longest, now)
            now = 0
    return longest
