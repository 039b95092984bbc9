# Wants to make the pipe of its output as small as it can be, and writes into it as it is.
import errno, fcntl, posix, stat

print(stat.S_ISFIFO(posix.fstat(1).st_mode), flush=True)
try:
    fcntl.fcntl(1, 1031, 4096)
except OSError as error:
    print(errno.errorcode[error.errno], flush=True)
for line in range(3000):
    posix.write(1, b"x" * 9 + b"\n")
