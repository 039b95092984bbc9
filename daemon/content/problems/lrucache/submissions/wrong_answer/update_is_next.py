from collections import OrderedDict


class LRUCache:
    """An updated key is the next to be dropped."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        known = key in self.entries
        if not known and len(self.entries) == self.capacity:
            self.entries.popitem(last=False)
        self.entries[key] = value
        self.entries.move_to_end(key, last=not known)
