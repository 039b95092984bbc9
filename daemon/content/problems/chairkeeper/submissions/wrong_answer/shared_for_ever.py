class Keeper:
    """A map that belongs to the class, so a new book begins with the hires of the last one."""

    ends = {}

    def __init__(self, chairs: int) -> None:
        self.chairs = chairs

    def _hired(self, now: int, chair: int) -> bool:
        return chair <= self.chairs and self.ends.get(chair, 0) > now

    def take(self, now: int, until: int) -> int:
        if until <= now:
            return 0
        for chair in range(1, self.chairs + 1):
            if not self._hired(now, chair):
                self.ends[chair] = until
                return chair
        return 0

    def renew(self, now: int, chair: int, until: int) -> bool:
        if until <= now or not self._hired(now, chair):
            return False
        self.ends[chair] = until
        return True

    def leave(self, now: int, chair: int) -> bool:
        if not self._hired(now, chair):
            return False
        del self.ends[chair]
        return True

    def free(self, now: int) -> int:
        return sum(not self._hired(now, chair) for chair in range(1, self.chairs + 1))
