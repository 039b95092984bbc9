from bisect import insort


class Station:
    """Sends the middle reading, but takes the lowest one out."""

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
        return (self.middle(), self.levels.pop(0))[0] if self.levels else None
