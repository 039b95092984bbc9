class LRUCache:
    """Right, but each call walks a list: its time grows with the capacity."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.pairs = []  # oldest first

    def get(self, key: int) -> int:
        for at, (known, value) in enumerate(self.pairs):
            if known == key:
                self.pairs.append(self.pairs.pop(at))
                return value
        return -1

    def put(self, key: int, value: int) -> None:
        self.pairs = [pair for pair in self.pairs if pair[0] != key]
        if len(self.pairs) == self.capacity:
            self.pairs.pop(0)
        self.pairs.append((key, value))
