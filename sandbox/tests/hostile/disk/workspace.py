# Has one writable place, and leaves links to the outside in it.
import errno, posix

place = posix.environ[b"WORKSPACE"].decode()
posix.close(posix.open(f"{place}/kept", posix.O_CREAT | posix.O_WRONLY))
print("kept: ok")
posix.symlink("/etc", f"{place}/link")
for name, path in ("through", f"{place}/link/hostile"), ("above", f"{place}/../hostile"):
    try:
        posix.close(posix.open(path, posix.O_CREAT | posix.O_WRONLY))
        posix.unlink(path)
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
