from collections import deque


class RateGate:
    """Compares numbers as objects: Python keeps one object for each small number only."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.visits = {}

    def enter(self, badge: int, time: int) -> bool:
        counting = self._counting(badge, time)
        if len(counting) is self.limit:
            return False
        counting.append(time)
        return True

    def free(self, badge: int, time: int) -> int:
        return self.limit - len(self._counting(badge, time))

    def _counting(self, badge: int, time: int) -> deque:
        times = self.visits.setdefault(badge, deque())
        while times and times[0] <= time - self.window:
            times.popleft()
        return times
