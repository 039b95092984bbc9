# Sends SIGKILL to itself: a signal like that of a limit, and no limit.
import posix

posix.kill(posix.getpid(), 9)
