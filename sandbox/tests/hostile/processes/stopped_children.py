# Leaves children behind that have stopped themselves.
import posix

for child in range(5):
    pid = posix.fork()
    if pid == 0:
        posix.kill(posix.getpid(), 19)
    posix.waitpid(pid, posix.WUNTRACED)
print("left")
