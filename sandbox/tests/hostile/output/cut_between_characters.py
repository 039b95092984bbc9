# Prints characters of two and of four bytes, so that the cut falls into one.
print("ж🐞" * 100_000, end="")
