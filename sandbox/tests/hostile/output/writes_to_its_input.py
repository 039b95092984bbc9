# Writes into its own input, read-only or not.
import errno, posix

try:
    posix.write(0, b"answer")
    print("stdin: ok")
except OSError as error:
    print(f"stdin: {errno.errorcode[error.errno]}")
