# Reads address zero.
import ctypes

print("before", flush=True)
ctypes.string_at(0)
