# Leaves a daemon behind, with a session of its own, that keeps standard output open.
import posix, time

print("started", flush=True)
if posix.fork() == 0:
    posix.setsid()
    if posix.fork() == 0:
        time.sleep(99)
    posix._exit(0)
posix.wait()
print("left")
