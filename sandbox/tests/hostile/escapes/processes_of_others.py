# Lists everybody.
import errno, posix

try:
    print(posix.listdir("/proc"))
except OSError as error:
    print(f"list: {errno.errorcode[error.errno]}")
