# Forks a chain in which everybody waits for its own child, and the last one spins.
import errno, posix

for generation in range(100):
    try:
        pid = posix.fork()
    except OSError as error:
        print(f"generation {generation}: {errno.errorcode[error.errno]}", flush=True)
        while True:
            pass
    if pid:
        posix.waitpid(pid, 0)
        break
