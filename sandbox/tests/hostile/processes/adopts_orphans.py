# Becomes the reaper of its orphans, one of which spins where nobody waits for it.
import ctypes, posix, time

ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
if posix.fork() == 0:
    if posix.fork() == 0:
        posix.setsid()
        while True:
            pass
    posix._exit(0)
posix.wait()
time.sleep(99)
