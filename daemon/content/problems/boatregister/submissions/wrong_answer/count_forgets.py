class Register:
    """Does not take a name that was struck out from the counts."""

    def __init__(self) -> None:
        self.names = set()
        self.counts = {}

    def add(self, name: str) -> bool:
        if name in self.names:
            return False
        self.names.add(name)
        for length in range(len(name) + 1):
            self.counts[name[:length]] = self.counts.get(name[:length], 0) + 1
        return True

    def remove(self, name: str) -> bool:
        if name not in self.names:
            return False
        self.names.discard(name)
        return True

    def count(self, start: str) -> int:
        return self.counts.get(start, 0)

    def first(self, start: str, most: int) -> list[str]:
        return sorted(name for name in self.names if name.startswith(start))[:most]
