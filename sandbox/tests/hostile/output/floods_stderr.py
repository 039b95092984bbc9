# Writes to standard error without end.
import posix

while True:
    posix.write(2, b"y" * 1000)
