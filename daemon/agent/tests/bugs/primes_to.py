def primes_to(limit):
    """All prime numbers up to a limit, itself included."""
    marked = [False] * limit
    primes = []
    for number in range(2, limit + 1):
        if not marked[number]:
            primes.append(number)
            for multiple in range(number * number, limit + 1, number):
                marked[multiple] = True
    return primes
