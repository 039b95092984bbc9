# Lowers its own bound of computing time below ours and dies of that.
import posix, resource

hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
resource.setrlimit(resource.RLIMIT_CPU, (0, hard))
posix.kill(posix.getpid(), 24)
