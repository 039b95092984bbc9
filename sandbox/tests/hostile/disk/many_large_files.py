# Fills its temporary space with files of the largest size.
import errno, posix

count = 0
try:
    while True:
        file = posix.open(f"/tmp/hostile-{count}", posix.O_CREAT | posix.O_WRONLY)
        count += posix.write(file, b"x" * (1 << 20)) == 1 << 20
        posix.close(file)
except OSError as error:
    print(f"after {count} MiB: {errno.errorcode[error.errno]}")
