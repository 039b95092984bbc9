# Asks for one block larger than its limit.
block = bytearray(300 << 20)
print("got it")
