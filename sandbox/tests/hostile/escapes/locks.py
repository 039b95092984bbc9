# Locks a file of the runtime, which a run beside it would see.
import errno, fcntl, keyword, posix, struct

file = posix.open(keyword.__file__, posix.O_RDONLY)
folder = posix.open(keyword.__file__.rpartition("/")[0], posix.O_RDONLY)
whole = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
attempts = {
    "flock": lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "record": lambda: fcntl.fcntl(file, fcntl.F_SETLK, whole),
    "description": lambda: fcntl.fcntl(file, 37, whole),
    "notice": lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
