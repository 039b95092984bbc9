# Runs on when nobody waits for its report any more.
import posix, time

try:
    if posix.fork() == 0:
        posix.setsid()
except OSError:
    pass
posix.write(3, b"t")
time.sleep(99)
