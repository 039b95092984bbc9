class Register:
    """Lists the names in the order in which they were entered."""

    def __init__(self) -> None:
        self.names = {}

    def add(self, name: str) -> bool:
        if name in self.names:
            return False
        self.names[name] = True
        return True

    def remove(self, name: str) -> bool:
        return self.names.pop(name, False)

    def count(self, start: str) -> int:
        return sum(name.startswith(start) for name in self.names)

    def first(self, start: str, most: int) -> list[str]:
        return [name for name in self.names if name.startswith(start)][:most]
