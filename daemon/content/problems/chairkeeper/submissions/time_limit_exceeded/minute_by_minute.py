class Keeper:
    """Goes through the time minute by minute."""

    def __init__(self, chairs: int) -> None:
        self.clock = 0
        self.chairs = chairs
        self.until = {}

    def take(self, now: int, until: int) -> int:
        self._catch_up(now)
        if until <= now:
            return 0
        for chair in range(1, self.chairs + 1):
            if chair not in self.until:
                self.until[chair] = until
                return chair
        return 0

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._catch_up(now)
        if until <= now or chair not in self.until:
            return False
        self.until[chair] = until
        return True

    def leave(self, now: int, chair: int) -> bool:
        self._catch_up(now)
        return self.until.pop(chair, None) is not None

    def free(self, now: int) -> int:
        self._catch_up(now)
        return self.chairs - len(self.until)

    def _catch_up(self, now: int) -> None:
        while self.clock < now:
            self.clock += 1
            if self.clock in self.until.values():
                self.until = {chair: end for chair, end in self.until.items() if end != self.clock}
