from bisect import bisect_right
from collections import defaultdict


class RateGate:
    """Keeps every admitted time in order and searches for where the window begins."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.admitted = defaultdict(list)

    def enter(self, badge: int, time: int) -> bool:
        if self.free(badge, time) == 0:
            return False
        self.admitted[badge].append(time)
        return True

    def free(self, badge: int, time: int) -> int:
        times = self.admitted[badge]
        return self.limit - len(times) + bisect_right(times, time - self.window)
