class RateGate:
    """Opens a block with the first visit and begins anew when it is over."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.blocks = {}

    def enter(self, badge: int, time: int) -> bool:
        if self.free(badge, time) == 0:
            return False
        start, count = self.blocks.get(badge, (time, 0))
        if time >= start + self.window:
            start, count = time, 0
        self.blocks[badge] = (start, count + 1)
        return True

    def free(self, badge: int, time: int) -> int:
        start, count = self.blocks.get(badge, (time, 0))
        return self.limit if time >= start + self.window else self.limit - count
