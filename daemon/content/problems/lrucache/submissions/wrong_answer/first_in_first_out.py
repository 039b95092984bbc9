class LRUCache:
    """A queue: neither reading nor updating counts as use."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        return self.entries.get(key, -1)

    def put(self, key: int, value: int) -> None:
        if key not in self.entries and len(self.entries) == self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
