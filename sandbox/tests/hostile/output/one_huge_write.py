# Writes more than the limit in one call.
import posix

posix.write(1, b"z" * (8 << 20))
