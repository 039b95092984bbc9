# Sends every signal there is to pid 1, and takes over its terminal group.
import errno, posix

answers = set()
for signal in range(1, 65):
    try:
        posix.kill(1, signal)
        answers.add("ok")
    except OSError as error:
        answers.add(errno.errorcode[error.errno])
print(f"init: {' '.join(answers)}")
