# Sends SIGKILL to its parent and to everybody it can reach.
import errno, posix

for name, pid in ("parent", posix.getppid()), ("init", 1), ("everybody", -1):
    try:
        posix.kill(pid, 9)
        print(f"{name}: ok", flush=True)
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}", flush=True)
