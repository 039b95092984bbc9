class LRUCache:
    """Drops the key that was used least often, which is another policy."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}
        self.uses = {}
        self.last = {}
        self.clock = 0

    def _use(self, key: int) -> None:
        self.clock += 1
        self.uses[key] = self.uses.get(key, 0) + 1
        self.last[key] = self.clock

    def get(self, key: int) -> int:
        if key not in self.entries:
            return -1
        self._use(key)
        return self.entries[key]

    def put(self, key: int, value: int) -> None:
        if key not in self.entries and len(self.entries) == self.capacity:
            rarest = min(self.entries, key=lambda known: (self.uses[known], self.last[known]))
            del self.entries[rarest], self.uses[rarest], self.last[rarest]
        self.entries[key] = value
        self._use(key)
