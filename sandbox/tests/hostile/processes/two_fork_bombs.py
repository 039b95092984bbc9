# Forks until it is refused while a second one of its kind does the same under the same account.
import errno, posix, time

children = 0
try:
    while True:
        if posix.fork() == 0:
            posix.close(3)
            time.sleep(99)
        children += 1
except OSError as error:
    # Full; the other one is full as well before either of them goes on.
    posix.write(3, b"f")
    posix.read(3, 1)
    print(f"after {children} children: {errno.errorcode[error.errno]}")
