def digit_total(number):
    """The sum of the decimal digits of a whole number."""
    total = 0
    number = abs(number)
    while number > 0:
        total += number // 10
        number //= 10
    return total
