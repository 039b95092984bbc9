# Leaves two spinning orphans alone and sleeps.
import posix, time

for orphan in range(2):
    if posix.fork() == 0:
        if posix.fork() == 0:
            while True:
                pass
        posix._exit(0)
    posix.wait()
time.sleep(99)
