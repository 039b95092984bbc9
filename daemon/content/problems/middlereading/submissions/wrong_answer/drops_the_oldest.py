from bisect import insort


class Station:
    """A full station drops its oldest reading for a new one."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []
        self.came = []

    def add(self, level: int) -> bool:
        if len(self.came) >= self.room:
            self.levels.remove(self.came.pop(0))
        self.came.append(level)
        insort(self.levels, level)
        return True

    def middle(self) -> int | None:
        if not self.levels:
            return None
        return self.levels[(len(self.levels) - 1) // 2]

    def send(self) -> int | None:
        level = self.middle()
        if level is not None:
            self.levels.remove(level)
            self.came.remove(level)
        return level
