from bisect import insort


class Station:
    """Counts all readings that ever came, so a send makes no room."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.count = 0
        self.levels = []

    def add(self, level: int) -> bool:
        if self.count >= self.room:
            return False
        self.count += 1
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
