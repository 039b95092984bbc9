class LRUCache:
    def __init__(self, capacity: int) -> None
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        return self.entries.get(key, -1)

    def put(self, key: int, value: int) -> None:
        self.entries[key] = value
