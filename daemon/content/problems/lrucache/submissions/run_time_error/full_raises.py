from collections import OrderedDict


class LRUCache:
    """Making room raises."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if key not in self.entries and len(self.entries) == self.capacity:
            del self.entries[next(iter(self.entries)) + 1]
        self.entries[key] = value
        self.entries.move_to_end(key)
