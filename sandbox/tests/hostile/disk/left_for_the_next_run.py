# Looks for what an earlier run of it may have left, and leaves it.
import posix

found = []
for place in "/tmp", "/dev/shm", ".":
    try:
        found += [name for name in posix.listdir(place) if name == "hostile-mark"]
        posix.close(posix.open(f"{place}/hostile-mark", posix.O_CREAT | posix.O_WRONLY))
    except OSError:
        pass
print(found)
