# Starts threads until it is refused.
import _thread, time

threads = 0
try:
    while True:
        _thread.start_new_thread(time.sleep, (99,))
        threads += 1
except RuntimeError as error:
    print(f"after {threads} threads: {error}")
