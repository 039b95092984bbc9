class LRUCache:
    """Recurses once for each key, which only a large cache shows."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def _count(self, keys: list, at: int = 0) -> int:
        return 0 if at == len(keys) else 1 + self._count(keys, at + 1)

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        value = self.entries.pop(key)
        self.entries[key] = value
        return value

    def put(self, key: int, value: int) -> None:
        self.entries.pop(key, None)
        if self._count(list(self.entries)) == self.capacity:
            del self.entries[next(iter(self.entries))]
        self.entries[key] = value
