from bisect import insort


class Station:
    """Answers the mean of the two in the middle, rounded down."""

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
            return None
        place = (len(self.levels) - 1) // 2
        if len(self.levels) % 2 == 0:
            return (self.levels[place] + self.levels[place + 1]) // 2
        return self.levels[place]

    def send(self) -> int | None:
        level = self.middle()
        if level is not None:
            del self.levels[(len(self.levels) - 1) // 2]
        return level
