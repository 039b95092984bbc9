# Changes what other runs will read.
import errno, keyword, posix, sys

module = keyword.__file__
attempts = {
    "make": lambda: posix.mkdir(f"{module}-hostile"),
    "write": lambda: posix.open(sys.executable, posix.O_WRONLY),
    "append": lambda: posix.open(module, posix.O_WRONLY | posix.O_APPEND),
    "mode": lambda: posix.chmod(sys.executable, 0o777),
    "owner": lambda: posix.chown(sys.executable, posix.getuid(), -1),
    "times": lambda: posix.utime(sys.executable),
    "remove": lambda: posix.unlink(module),
    "rename": lambda: posix.rename(module, f"{module}-hostile"),
    "attribute": lambda: posix.setxattr(sys.executable, "user.hostile", b"x"),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
