from heapq import heappop, heappush


class Station:
    """The tops of both heaps are neighbours in order."""

    def __init__(self, room: int) -> None:
        self.room = room
        # The lower half is negated, because heapq puts the smallest first. Its size is that
        # of the upper half, or one more.
        self.lower = []
        self.upper = []

    def add(self, level: int) -> bool:
        if len(self.lower) + len(self.upper) == self.room:
            return False
        if self.lower and level > -self.lower[0]:
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
