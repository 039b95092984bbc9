# Fills memory that it shares with nobody but maps as shared.
import mmap

block = mmap.mmap(-1, 300 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
print("got it")
