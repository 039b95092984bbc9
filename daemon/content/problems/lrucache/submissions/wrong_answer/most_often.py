from collections import OrderedDict


class LRUCache:
    """Drops the key that was used most often."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()
        self.uses = {}

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        self.uses[key] += 1
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if key not in self.entries and len(self.entries) == self.capacity:
            del self.entries[max(self.entries, key=self.uses.get)]
        if key not in self.entries:
            self.uses[key] = 0
        self.uses[key] += 1
        self.entries[key] = value
        self.entries.move_to_end(key)
