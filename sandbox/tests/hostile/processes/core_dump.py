# Asks for a core file, then dies of a signal that would write one.
import posix, resource

print(resource.getrlimit(resource.RLIMIT_CORE))
try:
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
except ValueError as error:
    print(error)
print(end="", flush=True)
posix.kill(posix.getpid(), 11)
