from bisect import insort


class Station:
    """Keeps the readings, but does not say so."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) < self.room:
            insort(self.levels, level)

    def middle(self) -> int | None:
        if not self.levels:
            return None
        return self.levels[(len(self.levels) - 1) // 2]

    def send(self) -> int | None:
        if not self.levels:
            return None
        return self.levels.pop((len(self.levels) - 1) // 2)
