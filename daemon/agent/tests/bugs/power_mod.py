def power_mod(base, exponent, modulus):
    """A power modulo a number, by squaring."""
    result = 1 % modulus
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        base = base + base % modulus
        exponent //= 2
    return result
