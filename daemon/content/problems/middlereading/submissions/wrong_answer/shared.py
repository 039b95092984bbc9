from bisect import insort


class Station:
    """All stations keep their readings in one list, which belongs to the class."""

    levels = []

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels.clear()

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
