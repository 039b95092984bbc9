def partition_even(numbers):
    """Even numbers first, each group in its own order."""
    even, odd = [], []
    for number in numbers:
        if number % 2 == 0:
            even.append(number)
        else:
            odd.append(number)
    return odd + even
