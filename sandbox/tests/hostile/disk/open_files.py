# Opens files until it is refused.
import errno, posix

count = 0
try:
    while True:
        posix.open("/dev/null", posix.O_RDONLY)
        count += 1
except OSError as error:
    print(f"after {count} files: {errno.errorcode[error.errno]}")
