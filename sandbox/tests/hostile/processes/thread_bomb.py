# Starts threads until it is refused.
import _thread, time

began = []


def begin():
    began.append(True)
    time.sleep(99)


threads = 0
try:
    while True:
        _thread.start_new_thread(begin, ())
        threads += 1
except RuntimeError as error:
    print(f"after {threads} threads: {error}")
# An interpreter that ends while one of its threads begins may end by a signal instead.
while len(began) < threads:
    time.sleep(0.001)
