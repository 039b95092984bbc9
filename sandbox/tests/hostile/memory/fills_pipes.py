# Fills the buffers of as many pipes as it can open.
import errno, posix

kept, filled = [], 0
try:
    while True:
        kept.append(posix.pipe())
        posix.set_blocking(kept[-1][1], False)
        filled += posix.write(kept[-1][1], b"x" * (64 << 10))
except OSError as error:
    print(f"pipes: {errno.errorcode[error.errno]}")
print(len(kept), "pipes hold", filled >> 10, "KiB")
