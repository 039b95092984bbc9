# Computes for ever and ignores every signal that can be ignored.
import _signal

for signal in range(1, 65):
    try:
        _signal.signal(signal, _signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
