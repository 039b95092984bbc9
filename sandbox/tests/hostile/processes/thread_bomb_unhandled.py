# Starts threads until it is refused and does not handle that.
import _thread, time

while True:
    _thread.start_new_thread(time.sleep, (99,))
