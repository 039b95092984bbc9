from collections import OrderedDict


class LRUCache:
    """Right, and prints a great deal."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.entries = OrderedDict()

    def get(self, key):
        print("get", key, "of", list(self.entries.items())[:50])
        if key not in self.entries:
            return -1
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key, value):
        print("put", key, value, "into", list(self.entries.items())[:50])
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
