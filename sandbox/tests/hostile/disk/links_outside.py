# Leaves links to files and folders outside where somebody will tidy up.
import posix

posix.chdir("/tmp" if posix.getcwd() == "/work" else ".")
posix.symlink("/", "hostile-root")
posix.symlink("/etc/passwd", "hostile-file")
posix.symlink("hostile-loop", "hostile-loop")
posix.symlink("..", "hostile-above")
print("linked")
