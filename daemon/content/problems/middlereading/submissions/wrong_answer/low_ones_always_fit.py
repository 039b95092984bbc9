from bisect import insort


class Station:
    """Looks for room only when a level above zero comes."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if level > 0 and len(self.levels) >= self.room:
            return False
        insort(self.levels, level)
        return True

    def middle(self) -> int | None:
        if not self.levels:
            return None
        return self.levels[(len(self.levels) - 1) // 2]

    def send(self) -> int | None:
        if not self.levels:
            return None
        return self.levels.pop((len(self.levels) - 1) // 2)
