from heapq import heappop, heappush


class Station:
    """Sends the lowest reading."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.levels = []

    def add(self, level: int) -> bool:
        if len(self.levels) >= self.room:
            return False
        heappush(self.levels, level)
        return True

    def middle(self) -> int | None:
        return self.levels[0] if self.levels else None

    def send(self) -> int | None:
        return heappop(self.levels) if self.levels else None
