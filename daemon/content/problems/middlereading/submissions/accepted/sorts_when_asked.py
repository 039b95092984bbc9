class Station:
    """Keeps the readings as they come, and sorts a copy of them for every answer."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) == self.room:
            return False
        self.levels.append(level)
        return True

    def middle(self) -> int | None:
        if not self.levels:
            return None
        ordered = sorted(self.levels)
        return ordered[(len(ordered) - 1) // 2]

    def send(self) -> int | None:
        level = self.middle()
        if level is not None:
            self.levels.remove(level)
        return level
