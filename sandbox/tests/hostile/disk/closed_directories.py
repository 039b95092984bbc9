# Leaves directories behind that not even their owner may list, its working directory among them.
import posix

posix.chdir("/tmp" if posix.getcwd() == "/work" else ".")
posix.mkdir("hostile", 0o300)
posix.close(posix.open("hostile/inside", posix.O_CREAT | posix.O_WRONLY))
try:
    posix.chmod(".", 0)
except PermissionError:
    pass
print("closed")
