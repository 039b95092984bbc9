# Waits for ever in short pieces.
import time

while True:
    time.sleep(0.02)
