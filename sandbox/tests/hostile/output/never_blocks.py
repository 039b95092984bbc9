# Makes its output non-blocking, floods it, and carries on where it is full.
import posix

posix.set_blocking(1, False)
while True:
    try:
        posix.write(1, b"x" * 4096)
    except BlockingIOError:
        pass
