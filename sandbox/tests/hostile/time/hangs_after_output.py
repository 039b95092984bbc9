# Prints, flushes half of it, and hangs.
import time

print("the first half", flush=True)
print("the second half")
time.sleep(3600)
