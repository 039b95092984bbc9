# Makes another name for a file of the runtime, which it could keep.
import errno, keyword, posix

place = "/tmp/hostile" if posix.getcwd() == "/work" else "hostile"
try:
    posix.link(keyword.__file__, place)
    print("link: ok")
except OSError as error:
    print(f"link: {errno.errorcode[error.errno]}")
