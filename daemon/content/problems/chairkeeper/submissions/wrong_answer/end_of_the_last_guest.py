from heapq import heappop, heappush


class Keeper:
    """The end of a guest who left early still frees the chair."""

    def __init__(self, chairs: int) -> None:
        self.vacant = list(range(1, chairs + 1))
        self.ends = []
        # How often each hire was renewed.
        self.renewals = {}

    def take(self, now: int, until: int) -> int:
        self._catch_up(now)
        if until <= now or not self.vacant:
            return 0
        chair = heappop(self.vacant)
        self.renewals[chair] = 0
        heappush(self.ends, (until, chair, 0))
        return chair

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._catch_up(now)
        if until <= now or chair not in self.renewals:
            return False
        self.renewals[chair] += 1
        heappush(self.ends, (until, chair, self.renewals[chair]))
        return True

    def leave(self, now: int, chair: int) -> bool:
        self._catch_up(now)
        if self.renewals.pop(chair, None) is None:
            return False
        heappush(self.vacant, chair)
        return True

    def free(self, now: int) -> int:
        self._catch_up(now)
        return len(self.vacant)

    def _catch_up(self, now: int) -> None:
        while self.ends and self.ends[0][0] <= now:
            _, chair, renewals = heappop(self.ends)
            if self.renewals.get(chair) == renewals:
                del self.renewals[chair]
                heappush(self.vacant, chair)
