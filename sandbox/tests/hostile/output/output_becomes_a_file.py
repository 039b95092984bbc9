# Puts something else in the place of standard output and writes there.
import posix

posix.write(1, b"before\n")
posix.dup2(posix.open("/dev/null", posix.O_WRONLY), 1)
posix.write(1, b"after\n")
