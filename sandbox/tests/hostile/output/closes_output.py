# Closes its streams and leaves.
import posix

for stream in 0, 1, 2:
    posix.close(stream)
posix._exit(0)
