# Makes the pipe of its output as small as it can be and asks about it.
import fcntl, posix, stat

print(stat.S_ISFIFO(posix.fstat(1).st_mode), flush=True)
fcntl.fcntl(1, 1031, 4096)
for line in range(3000):
    posix.write(1, b"x" * 9 + b"\n")
