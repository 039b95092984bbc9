# Writes a file up to the largest size there may be, and one byte more.
import errno, posix

place = "/tmp/hostile" if posix.getcwd() == "/work" else "hostile"
file = posix.open(place, posix.O_CREAT | posix.O_WRONLY)
print(posix.write(file, b"x" * 5000))
try:
    posix.write(file, b"x")
    print("more: ok")
except OSError as error:
    print(f"more: {errno.errorcode[error.errno]}")
