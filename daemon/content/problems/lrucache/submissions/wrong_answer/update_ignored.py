class LRUCache:
    """Keeps the old value of a key that is already there."""

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
        if key in self.entries:
            self.get(key)
            return
        if len(self.entries) == self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
