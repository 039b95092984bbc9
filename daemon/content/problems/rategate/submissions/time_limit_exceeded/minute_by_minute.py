class RateGate:
    """Counts the visits of each minute and adds up all minutes of the window."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.minutes = {}

    def enter(self, badge: int, time: int) -> bool:
        if self.free(badge, time) == 0:
            return False
        self.minutes[badge, time] = self.minutes.get((badge, time), 0) + 1
        return True

    def free(self, badge: int, time: int) -> int:
        used = 0
        for minute in range(time - self.window + 1, time + 1):
            used += self.minutes.get((badge, minute), 0)
        return self.limit - used
