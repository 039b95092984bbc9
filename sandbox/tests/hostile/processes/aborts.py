# Aborts.
import posix

posix.abort()
