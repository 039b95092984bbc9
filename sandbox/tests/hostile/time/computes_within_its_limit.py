# Computes for as long as it may, and waits besides.
import time

for round in range(4):
    start = time.process_time()
    while time.process_time() - start < 0.05:
        pass
    time.sleep(0.05)
print("done")
