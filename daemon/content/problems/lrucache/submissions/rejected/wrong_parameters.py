class LRUCache:
    """`put` takes a pair instead of a key and a value."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def get(self, key: int) -> int:
        return self.entries.get(key, -1)

    def put(self, pair: tuple) -> None:
        key, value = pair
        self.entries[key] = value
