class Station:
    """Orders the levels by their distance from zero."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        self.levels.append(level)
        self.levels.sort(key=abs)
        return True

    def middle(self) -> int | None:
        if not self.levels:
            return None
        return self.levels[(len(self.levels) - 1) // 2]

    def send(self) -> int | None:
        if not self.levels:
            return None
        return self.levels.pop((len(self.levels) - 1) // 2)
