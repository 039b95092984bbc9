# Fills its memory with very small objects.
chain = None
while True:
    chain = [chain]
