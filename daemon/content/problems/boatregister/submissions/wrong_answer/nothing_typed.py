class Register:
    """Takes an empty beginning for no question."""

    def __init__(self) -> None:
        self.names = set()

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
        if not start:
            return 0
        return sum(name.startswith(start) for name in self.names)

    def first(self, start: str, most: int) -> list[str]:
        if not start:
            return []
        return sorted(name for name in self.names if name.startswith(start))[:most]
