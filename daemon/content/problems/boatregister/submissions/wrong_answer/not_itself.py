class Register:
    """Counts and lists only longer names than the text that was typed."""

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
        return sum(name.startswith(start) and name != start for name in self.names)

    def first(self, start: str, most: int) -> list[str]:
        fitting = [name for name in self.names if name.startswith(start) and name != start]
        return sorted(fitting)[:most]
