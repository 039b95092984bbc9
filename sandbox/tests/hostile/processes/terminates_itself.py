# Sends SIGTERM to itself.
import posix

posix.kill(posix.getpid(), 15)
