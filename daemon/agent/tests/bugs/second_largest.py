def second_largest(numbers):
    """The second largest of different numbers, or nothing."""
    first = second = None
    for number in numbers:
        if first is None or number > first:
            first, second = number, number
        elif number != first and (second is None or number > second):
            second = number
    return second
