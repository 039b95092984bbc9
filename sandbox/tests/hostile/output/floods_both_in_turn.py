# Writes to both streams in turn without end.
import posix

while True:
    posix.write(1, b"x" * 99)
    posix.write(2, b"y" * 99)
