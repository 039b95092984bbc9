class LRUCache:
    """Counts the uses it remembers instead of the keys it holds."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}
        self.order = []

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.order.remove(key)
        self.order.append(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if len(self.order) == self.capacity:
            self.entries.pop(self.order.pop(0), None)
        self.entries[key] = value
        self.order.append(key)
