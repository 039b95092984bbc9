from collections import OrderedDict


class LRUCache:
    """Takes keys that differ by a thousand for the same."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def look(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def get(self, key: int) -> int:
        return self.look(key % 1000)

    def put(self, key: int, value: int) -> None:
        key %= 1000
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
