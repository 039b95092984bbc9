from bisect import insort


class Station:
    """Without a reading the answer is 0."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        insort(self.levels, level)
        return True

    def middle(self) -> int | None:
        if not self.levels:
            return 0
        return self.levels[(len(self.levels) - 1) // 2]

    def send(self) -> int | None:
        if not self.levels:
            return 0
        return self.levels.pop((len(self.levels) - 1) // 2)
