# Is given a great deal to read, reads nothing of it and closes it.
import posix

posix.close(0)
print("not read")
