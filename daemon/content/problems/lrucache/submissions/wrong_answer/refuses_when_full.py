from collections import OrderedDict


class LRUCache:
    """A full cache drops a key and does not store the new one."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        known = key in self.entries
        if not known and len(self.entries) == self.capacity:
            self.entries.popitem(last=False)
            return
        self.entries[key] = value
        self.entries.move_to_end(key)
