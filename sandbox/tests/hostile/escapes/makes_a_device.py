# Makes a device of the machine's memory where it may write.
import errno, posix, stat

place = "/tmp/hostile" if posix.getcwd() == "/work" else "hostile"
for name, kind in ("character", stat.S_IFCHR), ("block", stat.S_IFBLK):
    try:
        posix.mknod(place, kind | 0o600, posix.makedev(1, 1))
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
