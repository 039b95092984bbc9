# Writes without end from children, each of them little.
import posix

while True:
    pid = posix.fork()
    if pid == 0:
        posix.write(1, b"c" * 60_000)
        posix._exit(0)
    posix.waitpid(pid, 0)
