# Computes in four children, each for less than the limit.
import posix

for child in range(4):
    if posix.fork() == 0:
        while True:
            pass
for child in range(4):
    posix.wait()
