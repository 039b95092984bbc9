# Makes a directory in a directory, a thousand times.
import posix

posix.chdir("/tmp" if posix.getcwd() == "/work" else ".")
for depth in range(1000):
    posix.mkdir("hostile")
    posix.chdir("hostile")
print("deep")
