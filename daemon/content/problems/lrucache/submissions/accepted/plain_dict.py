class LRUCache:
    """A dictionary remembers the order of insertion, so use means: take out, put back."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        value = self.entries.pop(key)
        self.entries[key] = value
        return value

    def put(self, key: int, value: int) -> None:
        self.entries.pop(key, None)
        if len(self.entries) == self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
