from bisect import insort


class Station:
    """Every reading is put in its place in one sorted list."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        insort(self.levels, level)
        return True

    def middle(self) -> int | None:
        return self.levels[(len(self.levels) - 1) // 2] if self.levels else None

    def send(self) -> int | None:
        return self.levels.pop((len(self.levels) - 1) // 2) if self.levels else None
