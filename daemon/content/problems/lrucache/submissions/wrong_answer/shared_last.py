from collections import OrderedDict


class LRUCache:
    """Every call works on the cache that was made last."""

    last = None

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = OrderedDict()
        LRUCache.last = self

    def get(self, key: int) -> int:
        cache = LRUCache.last
        if key not in cache.entries:
            return -1
        cache.entries.move_to_end(key)
        return cache.entries[key]

    def put(self, key: int, value: int) -> None:
        cache = LRUCache.last
        cache.entries[key] = value
        cache.entries.move_to_end(key)
        if len(cache.entries) > cache.capacity:
            cache.entries.popitem(last=False)
