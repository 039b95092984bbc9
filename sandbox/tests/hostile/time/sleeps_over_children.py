# Waits for a child that waits.
import posix, time

if posix.fork() == 0:
    time.sleep(3600)
posix.wait()
