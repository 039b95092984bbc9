from collections import OrderedDict


class LRUCache:
    """Puts keys in a thousand buckets on each side of zero, and takes those in one for the same."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()

    def bucket(self, key: int) -> int:
        return key % 1000 if key >= 0 else -(-key % 1000)

    def get(self, key: int) -> int:
        bucket = self.bucket(key)
        if bucket not in self.entries:
            return -1
        self.entries.move_to_end(bucket)
        return self.entries[bucket]

    def put(self, key: int, value: int) -> None:
        bucket = self.bucket(key)
        self.entries[bucket] = value
        self.entries.move_to_end(bucket)
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
