class Register:
    """Puts all names in order by swapping neighbours, for each question anew."""

    def __init__(self) -> None:
        self.names = []

    def add(self, name: str) -> bool:
        if name in self.names:
            return False
        self.names.append(name)
        return True

    def remove(self, name: str) -> bool:
        if name not in self.names:
            return False
        self.names.remove(name)
        return True

    def count(self, start: str) -> int:
        return len(self.first(start, len(self.names)))

    def first(self, start: str, most: int) -> list[str]:
        names = list(self.names)
        for end in range(len(names), 1, -1):
            for at in range(1, end):
                if names[at] < names[at - 1]:
                    names[at - 1], names[at] = names[at], names[at - 1]
        return [name for name in names if name.startswith(start)][:most]
