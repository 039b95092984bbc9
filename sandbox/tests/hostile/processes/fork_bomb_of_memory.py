# Forks children that each touch 24 MB, so that memory runs out long before the count does.
import posix, time

while True:
    if posix.fork() == 0:
        block = b"x" * (24 << 20)
        time.sleep(99)
    time.sleep(0.005)
