# Writes much and ends well within the limit.
import posix

posix.write(1, b"first\n")
for piece in range(900):
    posix.write(1, b"x" * 999 + b"\n")
posix.write(1, b"last\n")
