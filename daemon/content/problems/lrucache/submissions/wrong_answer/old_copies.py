class LRUCache:
    """Remembers each use and forgets none, so old copies drop what is in use."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}
        self.order = []

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.order.append(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if key not in self.entries and len(self.entries) == self.capacity:
            oldest = self.order.pop(0)
            self.entries.pop(oldest, None)
        self.entries[key] = value
        self.order.append(key)
