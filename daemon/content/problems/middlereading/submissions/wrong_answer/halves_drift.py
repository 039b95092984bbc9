from heapq import heappop, heappush


class Station:
    """After a send the two halves are not made equal again."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.lower = []
        self.upper = []

    def add(self, level: int) -> bool:
        if len(self.lower) + len(self.upper) == self.room:
            return False
        heappush(self.lower, -level)
        heappush(self.upper, -heappop(self.lower))
        if len(self.upper) > len(self.lower):
            heappush(self.lower, -heappop(self.upper))
        return True

    def middle(self) -> int | None:
        if self.lower:
            return -self.lower[0]
        return self.upper[0] if self.upper else None

    def send(self) -> int | None:
        if self.lower:
            return -heappop(self.lower)
        return heappop(self.upper) if self.upper else None
