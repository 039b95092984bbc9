# Makes a file of a petabyte with nothing in it.
import errno, posix

place = "/tmp/hostile" if posix.getcwd() == "/work" else "hostile"
file = posix.open(place, posix.O_CREAT | posix.O_RDWR)
try:
    posix.ftruncate(file, 1 << 50)
    print("petabyte: ok")
except OSError as error:
    print(f"petabyte: {errno.errorcode[error.errno]}")
