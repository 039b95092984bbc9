# Prints some thousand short lines, as right programs do.
for line in range(1626):
    print("Hello world")
