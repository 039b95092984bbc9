# Becomes another program, which without namespaces would lose the bond to its helper.
import errno, posix, sys

try:
    posix.execv(sys.executable, [sys.executable, "-I", "-S", "-c", "print('another: ok')"])
except OSError as error:
    print(f"another: {errno.errorcode[error.errno]}")
