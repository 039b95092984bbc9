# Keeps block after block until it is refused, and says how far it came.
blocks = []
try:
    while True:
        blocks.append(bytearray(16 << 20))
except MemoryError:
    # Something must be free again for the words.
    count = len(blocks)
    blocks.clear()
print("refused" if 8 <= count < 16 else f"refused after {count}")
