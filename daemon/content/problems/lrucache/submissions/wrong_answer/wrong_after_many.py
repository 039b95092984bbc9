from collections import OrderedDict


class LRUCache:
    """Forgets the order after a thousand calls."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()
        self.calls = 0

    def get(self, key: int) -> int:
        self.calls += 1
        if key not in self.entries:
            return -1
        if self.calls < 1000:
            self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
