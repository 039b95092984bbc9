class Register:
    """A name that is entered twice stands in the register twice."""

    def __init__(self) -> None:
        self.names = []

    def add(self, name: str) -> bool:
        there = name in self.names
        self.names.append(name)
        return not there

    def remove(self, name: str) -> bool:
        if name not in self.names:
            return False
        self.names.remove(name)
        return True

    def count(self, start: str) -> int:
        return sum(name.startswith(start) for name in self.names)

    def first(self, start: str, most: int) -> list[str]:
        return sorted(name for name in self.names if name.startswith(start))[:most]
