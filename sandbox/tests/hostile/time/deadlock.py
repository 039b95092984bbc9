# Waits for a lock that it holds itself.
import _thread

lock = _thread.allocate_lock()
lock.acquire()
lock.acquire()
