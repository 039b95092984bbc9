class Keeper:
    """Takes for granted that a chair exists."""

    def __init__(self, chairs: int) -> None:
        self.ends = [-1] * chairs

    def take(self, now: int, until: int) -> int:
        if until <= now:
            return 0
        for at, end in enumerate(self.ends):
            if end <= now:
                self.ends[at] = until
                return at + 1
        return 0

    def renew(self, now: int, chair: int, until: int) -> bool:
        if until <= now or self.ends[chair - 1] <= now:
            return False
        self.ends[chair - 1] = until
        return True

    def leave(self, now: int, chair: int) -> bool:
        if self.ends[chair - 1] <= now:
            return False
        self.ends[chair - 1] = now
        return True

    def free(self, now: int) -> int:
        return sum(end <= now for end in self.ends)
