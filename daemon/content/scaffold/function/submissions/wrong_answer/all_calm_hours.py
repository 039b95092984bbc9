def longest_calm(winds, limit):
    return sum(wind <= limit for wind in winds)
