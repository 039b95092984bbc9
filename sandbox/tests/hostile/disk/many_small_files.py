# Makes files without content until it is refused.
import errno, posix

count = 0
try:
    while True:
        posix.close(posix.open(f"/tmp/hostile-{count}", posix.O_CREAT | posix.O_WRONLY))
        count += 1
except OSError as error:
    print(f"after {count} files: {errno.errorcode[error.errno]}")
