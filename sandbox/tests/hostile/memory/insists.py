# Asks for memory again whenever it is refused.
while True:
    try:
        bytearray(300 << 20)
    except MemoryError:
        pass
