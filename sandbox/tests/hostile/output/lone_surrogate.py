# Prints half of a pair of surrogates.
print("before", flush=True)
print("\ud800")
