class RateGate:
    """Cuts the day into blocks and counts within each."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.counts = {}

    def enter(self, badge: int, time: int) -> bool:
        if self.free(badge, time) == 0:
            return False
        block = (badge, time // self.window)
        self.counts[block] = self.counts.get(block, 0) + 1
        return True

    def free(self, badge: int, time: int) -> int:
        return self.limit - self.counts.get((badge, time // self.window), 0)
