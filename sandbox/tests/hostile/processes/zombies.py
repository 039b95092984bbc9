# Forks children that end at once and are never waited for.
import errno, posix

children = 0
try:
    while True:
        if posix.fork() == 0:
            posix._exit(0)
        children += 1
except OSError as error:
    print(f"after {children} children: {errno.errorcode[error.errno]}")
