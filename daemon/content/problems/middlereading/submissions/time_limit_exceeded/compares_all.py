class Station:
    """Compares every reading with every other to find the one in the middle."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        self.levels.append(level)
        return True

    def middle(self) -> int | None:
        place = (len(self.levels) - 1) // 2
        found = None
        for level in self.levels:
            before = sum(1 for other in self.levels if other < level)
            equal = sum(1 for other in self.levels if other == level)
            if before <= place < before + equal:
                found = level
        return found

    def send(self) -> int | None:
        level = self.middle()
        if level is not None:
            self.levels.remove(level)
        return level
