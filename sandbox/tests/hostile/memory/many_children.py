# Has many children, each of which stays below the limit.
import posix, time

for child in range(6):
    if posix.fork() == 0:
        block = b"x" * (60 << 20)
        time.sleep(99)
time.sleep(99)
