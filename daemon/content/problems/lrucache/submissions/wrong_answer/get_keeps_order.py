class LRUCache:
    """Reading a key does not count as use."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        return self.entries.get(key, -1)

    def put(self, key: int, value: int) -> None:
        self.entries.pop(key, None)
        if len(self.entries) == self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
