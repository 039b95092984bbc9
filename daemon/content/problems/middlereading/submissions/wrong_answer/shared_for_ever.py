from bisect import insort


class Station:
    """A list that belongs to the class, so a new station begins with the readings of the last one."""

    levels = []

    def __init__(self, room: int) -> None:
        self.room = room

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
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
