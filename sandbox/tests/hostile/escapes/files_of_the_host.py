# Reads what tells something of the machine and its people.
import errno, posix

names = "/etc/hostname", "/etc/shadow", "/proc/version", "/sys/kernel", "/var/log", "/root", "/home", "/run"
for name in names:
    try:
        posix.open(name, posix.O_RDONLY)
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
