from collections import OrderedDict


class LRUCache:
    """An update keeps the larger one of the two values."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if key in self.entries:
            self.entries.move_to_end(key)
            value = max(value, self.entries[key])
        self.entries[key] = value
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
