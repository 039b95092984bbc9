# Has an alarm and does not handle it.
import _signal, time

_signal.setitimer(_signal.ITIMER_REAL, 0.05)
time.sleep(3600)
