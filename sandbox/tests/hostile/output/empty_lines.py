# Prints empty lines without end.
while True:
    print()
