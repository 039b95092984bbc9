# Writes to standard output without end.
import posix

posix.write(1, b"first")
while True:
    posix.write(1, b"x" * 1000)
