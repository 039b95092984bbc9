from bisect import insort


class Station:
    """A level that is held already is not kept a second time."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        if level not in self.levels:
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
