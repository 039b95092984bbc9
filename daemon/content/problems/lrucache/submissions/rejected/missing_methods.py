class LRUCache:
    """Has no `put`, and spells `get` with a capital."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries = {}

    def Get(self, key: int) -> int:
        return self.entries.get(key, -1)
