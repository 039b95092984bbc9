# Sends SIGKILL to its process group.
import posix

posix.killpg(posix.getpgid(0), 9)
