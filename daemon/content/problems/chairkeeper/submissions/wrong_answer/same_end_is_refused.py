from heapq import heappop, heappush


class Keeper:
    """Takes a renewal to the end that was agreed on already for one that cannot be done."""

    def __init__(self, chairs: int) -> None:
        self.vacant = list(range(1, chairs + 1))
        self.ends = []
        # Chair by chair, when its hire is over.
        self.until = {}

    def take(self, now: int, until: int) -> int:
        self._catch_up(now)
        if until <= now or not self.vacant:
            return 0
        chair = heappop(self.vacant)
        self._hire(chair, until)
        return chair

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._catch_up(now)
        if until <= now or self.until.get(chair, until) == until:
            return False
        self._hire(chair, until)
        return True

    def leave(self, now: int, chair: int) -> bool:
        self._catch_up(now)
        if chair not in self.until:
            return False
        self._vacate(chair)
        return True

    def free(self, now: int) -> int:
        self._catch_up(now)
        return len(self.vacant)

    def _hire(self, chair: int, until: int) -> None:
        self.until[chair] = until
        heappush(self.ends, (until, chair))

    def _vacate(self, chair: int) -> None:
        del self.until[chair]
        heappush(self.vacant, chair)

    def _catch_up(self, now: int) -> None:
        while self.ends and self.ends[0][0] <= now:
            end, chair = heappop(self.ends)
            if self.until.get(chair) == end:
                self._vacate(chair)
