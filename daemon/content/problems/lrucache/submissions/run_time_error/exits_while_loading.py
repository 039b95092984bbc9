import sys


class LRUCache:
    """Right, but the file ends the program before anybody can make a cache."""

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


cache = LRUCache(2)
cache.put(1, 1)
print("it works" if cache.get(1) == 1 else "it does not work")
sys.exit(0)
