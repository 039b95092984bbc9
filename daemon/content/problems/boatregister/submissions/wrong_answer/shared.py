class Register:
    """All registers keep their names in one set, which belongs to the class."""

    names = set()

    def __init__(self) -> None:
        self.names.clear()

    def add(self, name: str) -> bool:
        if name in self.names:
            return False
        self.names.add(name)
        return True

    def remove(self, name: str) -> bool:
        if name not in self.names:
            return False
        self.names.discard(name)
        return True

    def count(self, start: str) -> int:
        return sum(name.startswith(start) for name in self.names)

    def first(self, start: str, most: int) -> list[str]:
        return sorted(name for name in self.names if name.startswith(start))[:most]
