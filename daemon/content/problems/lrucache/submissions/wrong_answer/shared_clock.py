class LRUCache:
    """All caches count their uses together, and each new one begins to count anew."""

    uses = 0

    def __init__(self, capacity: int) -> None:
        LRUCache.uses = 0
        self.capacity = capacity
        self.values = {}
        self.used = {}

    def use(self, key: int) -> None:
        LRUCache.uses += 1
        self.used[key] = LRUCache.uses

    def get(self, key: int) -> int:
        if key not in self.values:
            return -1
        self.use(key)
        return self.values[key]

    def put(self, key: int, value: int) -> None:
        if key not in self.values and len(self.values) == self.capacity:
            oldest = min(self.used, key=self.used.get)
            del self.values[oldest], self.used[oldest]
        self.values[key] = value
        self.use(key)
