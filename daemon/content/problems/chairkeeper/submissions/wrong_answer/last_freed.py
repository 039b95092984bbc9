from heapq import heappop, heappush


class Keeper:
    """Takes the chair that was freed last."""

    def __init__(self, chairs: int) -> None:
        self.vacant = list(range(chairs, 0, -1))
        self.ends = []
        self.until = {}

    def take(self, now: int, until: int) -> int:
        self._catch_up(now)
        if until <= now or not self.vacant:
            return 0
        chair = self.vacant.pop()
        self.until[chair] = until
        heappush(self.ends, (until, chair))
        return chair

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._catch_up(now)
        if until <= now or chair not in self.until:
            return False
        self.until[chair] = until
        heappush(self.ends, (until, chair))
        return True

    def leave(self, now: int, chair: int) -> bool:
        self._catch_up(now)
        if self.until.pop(chair, None) is None:
            return False
        self.vacant.append(chair)
        return True

    def free(self, now: int) -> int:
        self._catch_up(now)
        return len(self.vacant)

    def _catch_up(self, now: int) -> None:
        while self.ends and self.ends[0][0] <= now:
            end, chair = heappop(self.ends)
            if self.until.get(chair) == end:
                del self.until[chair]
                self.vacant.append(chair)
