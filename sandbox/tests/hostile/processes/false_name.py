# Calls itself `) Z 0 0 0`, to be misread in the table of processes, and spins in three children.
import ctypes, posix, time

ctypes.CDLL(None).prctl(15, b") Z 0 0 0 0 0", 0, 0, 0)
for child in range(3):
    try:
        if posix.fork() == 0:
            break
    except OSError:
        break
else:
    time.sleep(99)
while True:
    pass
