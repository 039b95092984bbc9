# Starts itself again with another encoding of its output.
import posix, sys

if b"PYTHONIOENCODING" not in posix.environ:
    words = [sys.executable, "-S", "other_encoding.py"]
    posix.execve(sys.executable, words, {"PYTHONIOENCODING": "utf-16-le"})
print("€", end="")
