# Has children that share its pages: together they are no more than one.
import posix

block = b"x" * (100 << 20)
reader, writer = posix.pipe()
for child in range(4):
    if posix.fork() == 0:
        posix.close(writer)
        posix.read(reader, 1)
        posix._exit(0)
# All of them are there for a while.
start = posix.times().elapsed
while posix.times().elapsed - start < 0.2:
    pass
posix.close(writer)
for child in range(4):
    posix.wait()
print("shared")
