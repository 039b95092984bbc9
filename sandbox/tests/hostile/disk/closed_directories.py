# Leaves directories behind that not even their owner may enter, its working directory among them.
import posix

posix.chdir("/tmp" if posix.getcwd() == "/work" else ".")
posix.mkdir("hostile")
posix.close(posix.open("hostile/inside", posix.O_CREAT | posix.O_WRONLY))
posix.chmod("hostile", 0)
try:
    posix.chmod(".", 0)
except PermissionError:
    pass
print("closed")
