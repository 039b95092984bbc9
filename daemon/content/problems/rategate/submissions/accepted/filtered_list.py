class RateGate:
    """Makes the list of counting times anew at each call: simple, and slow for a large limit."""

    def __init__(self, limit: int, window: int) -> None:
        self.limit, self.window = limit, window
        self.times = {}

    def enter(self, badge: int, time: int) -> bool:
        admitted = self.free(badge, time) > 0
        if admitted:
            self.times[badge].append(time)
        return admitted

    def free(self, badge: int, time: int) -> int:
        old = self.times.get(badge, [])
        self.times[badge] = [t for t in old if t + self.window > time]
        return self.limit - len(self.times[badge])
