from bisect import bisect_left, insort


class Keeper:
    """Two sorted lists, from which an end that changes is taken out at once."""

    def __init__(self, chairs: int) -> None:
        self.vacant = list(range(1, chairs + 1))
        self.hires = []
        self.until = {}

    def _update(self, now: int) -> None:
        over = bisect_left(self.hires, (now + 1, 0))
        for _, chair in self.hires[:over]:
            del self.until[chair]
            insort(self.vacant, chair)
        del self.hires[:over]

    def _drop(self, chair: int) -> None:
        del self.hires[bisect_left(self.hires, (self.until.pop(chair), chair))]

    def _add(self, chair: int, until: int) -> None:
        self.until[chair] = until
        insort(self.hires, (until, chair))

    def take(self, now: int, until: int) -> int:
        self._update(now)
        if until <= now or not self.vacant:
            return 0
        chair = self.vacant.pop(0)
        self._add(chair, until)
        return chair

    def renew(self, now: int, chair: int, until: int) -> bool:
        self._update(now)
        possible = until > now and chair in self.until
        if possible:
            self._drop(chair)
            self._add(chair, until)
        return possible

    def leave(self, now: int, chair: int) -> bool:
        self._update(now)
        hired = chair in self.until
        if hired:
            self._drop(chair)
            insort(self.vacant, chair)
        return hired

    def free(self, now: int) -> int:
        self._update(now)
        return len(self.vacant)
