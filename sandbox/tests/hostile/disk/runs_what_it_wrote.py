# Writes a program into its temporary space and runs it.
import errno, posix, sys

place = "/tmp/hostile" if posix.getcwd() == "/work" else "hostile"
file = posix.open(place, posix.O_CREAT | posix.O_WRONLY, 0o755)
posix.write(file, b"#!%s\nprint('run: ok')\n" % sys.executable.encode())
posix.close(file)
try:
    posix.execv(place, [place])
except OSError as error:
    print(f"run: {errno.errorcode[error.errno]}")
