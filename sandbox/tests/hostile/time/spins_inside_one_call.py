# Spends all its time inside one call of the library, where no handler of its own could run.
import _collections, itertools

_collections.deque(itertools.product(range(10), repeat=14), maxlen=0)
