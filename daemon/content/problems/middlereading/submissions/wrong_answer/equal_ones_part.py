from heapq import heappop, heappush


class Station:
    """Compares with one level too high, which matters where both halves hold the middle level."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.lower = []
        self.upper = []

    def add(self, level: int) -> bool:
        if len(self.lower) + len(self.upper) == self.room:
            return False
        if self.lower and level > 1 - self.lower[0]:
            heappush(self.upper, level)
        else:
            heappush(self.lower, -level)
        self._level_out()
        return True

    def middle(self) -> int | None:
        return -self.lower[0] if self.lower else None

    def send(self) -> int | None:
        if not self.lower:
            return None
        level = -heappop(self.lower)
        self._level_out()
        return level

    def _level_out(self) -> None:
        if len(self.lower) > len(self.upper) + 1:
            heappush(self.upper, -heappop(self.lower))
        elif len(self.lower) < len(self.upper):
            heappush(self.lower, -heappop(self.upper))
