# Leaves a child behind that would write to the results once the parent has been judged.
import posix, time

reader, writer = posix.pipe()
if posix.fork() == 0:
    posix.setsid()
    posix.write(writer, b"x")
    time.sleep(5)
    posix.write(1, b"forged\n")
    posix._exit(0)
posix.read(reader, 1)
print("judged")
