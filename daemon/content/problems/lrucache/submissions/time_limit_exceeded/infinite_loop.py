class LRUCache:
    """Waits for room and never makes any."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        return self.entries.get(key, -1)

    def put(self, key: int, value: int) -> None:
        while key not in self.entries and len(self.entries) >= self.capacity:
            oldest = next(iter(self.entries))
        self.entries[key] = value
