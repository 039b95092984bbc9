# Writes where nothing may be written.
import errno, posix

for name, path in ("work", "hostile"), ("tmp", "/tmp/hostile"), ("shm", "/dev/shm/hostile"):
    try:
        posix.open(path, posix.O_CREAT | posix.O_WRONLY)
        posix.unlink(path)
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
