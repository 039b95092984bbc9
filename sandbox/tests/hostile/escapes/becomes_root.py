# Becomes somebody else.
import errno, posix

attempts = {
    "setuid": lambda: posix.setuid(0),
    "setgid": lambda: posix.setgid(0),
    "setgroups": lambda: posix.setgroups([0]),
    "setresuid": lambda: posix.setresuid(0, 0, 0),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
