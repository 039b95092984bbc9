# Prints a zero byte.
print("a\0b")
