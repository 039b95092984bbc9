# Computes in children whose end it has told the kernel to ignore.
import _signal, posix

_signal.signal(_signal.SIGCHLD, _signal.SIG_IGN)
while True:
    if posix.fork() == 0:
        sum(range(3_000_000))
        posix._exit(0)
    try:
        posix.wait()
    except OSError:
        pass
