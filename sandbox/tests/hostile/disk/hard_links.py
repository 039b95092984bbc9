# Makes a hundred names for one large file.
import posix

posix.chdir("/tmp" if posix.getcwd() == "/work" else ".")
file = posix.open("hostile", posix.O_CREAT | posix.O_WRONLY)
posix.write(file, b"x" * (1 << 20))
for name in range(100):
    posix.link("hostile", f"hostile-{name}")
print("linked")
