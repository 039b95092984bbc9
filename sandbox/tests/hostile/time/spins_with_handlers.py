# Answers each warning about its time by computing on.
import _signal

for signal in _signal.SIGTERM, _signal.SIGXCPU, _signal.SIGALRM:
    _signal.signal(signal, lambda *_: print("not yet", flush=True))
while True:
    pass
