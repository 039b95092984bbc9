# Dies of a signal that has no name.
import posix

posix.kill(posix.getpid(), 40)
