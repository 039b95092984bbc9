from heapq import heappop, heappush


class Keeper:
    """Every end that was agreed on with a guest ends the hire."""

    def __init__(self, chairs: int) -> None:
        self.vacant = list(range(1, chairs + 1))
        self.ends = []
        self.guests = {}
        self.count = 0

    def take(self, now: int, until: int) -> int:
        self._catch_up(now)
        if until <= now or not self.vacant:
            return 0
        chair = heappop(self.vacant)
        self.count += 1
        self.guests[chair] = self.count
        heappush(self.ends, (until, chair, self.count))
        return chair

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._catch_up(now)
        if until <= now or chair not in self.guests:
            return False
        heappush(self.ends, (until, chair, self.guests[chair]))
        return True

    def leave(self, now: int, chair: int) -> bool:
        self._catch_up(now)
        if self.guests.pop(chair, None) is None:
            return False
        heappush(self.vacant, chair)
        return True

    def free(self, now: int) -> int:
        self._catch_up(now)
        return len(self.vacant)

    def _catch_up(self, now: int) -> None:
        while self.ends and self.ends[0][0] <= now:
            _, chair, guest = heappop(self.ends)
            if self.guests.get(chair) == guest:
                del self.guests[chair]
                heappush(self.vacant, chair)
