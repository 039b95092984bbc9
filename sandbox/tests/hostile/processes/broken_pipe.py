# Writes to a pipe whose reader is closed, with the signal's default meaning.
import _signal, posix

_signal.signal(_signal.SIGPIPE, _signal.SIG_DFL)
reader, writer = posix.pipe()
posix.close(reader)
posix.write(writer, b"x")
