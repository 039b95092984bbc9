# Has a daemon of its own when the helper is killed from outside.
import posix, time

try:
    if posix.fork() == 0:
        posix.setsid()
except OSError:
    pass
posix.write(3, b"t")
time.sleep(99)
