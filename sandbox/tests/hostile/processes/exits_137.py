# Leaves with the status that shells show for SIGKILL.
import posix

posix._exit(137)
