# Asks for input that nobody gives.
print(repr(input()))
