# Forks until it is refused; the children stay.
import errno, posix, time

children = 0
try:
    while True:
        if posix.fork() == 0:
            time.sleep(99)
        children += 1
except OSError as error:
    print(f"after {children} children: {errno.errorcode[error.errno]}")
