from bisect import bisect_left, insort

# Comes after every letter.
END = "{"


class Register:
    """All names in one sorted list, in which two places bound each answer."""

    def __init__(self) -> None:
        self.names = []

    def _place(self, name: str) -> tuple[int, bool]:
        at = bisect_left(self.names, name)
        return at, at < len(self.names) and self.names[at] == name

    def add(self, name: str) -> bool:
        _, there = self._place(name)
        if not there:
            insort(self.names, name)
        return not there

    def remove(self, name: str) -> bool:
        at, there = self._place(name)
        if there:
            del self.names[at]
        return there

    def count(self, start: str) -> int:
        return bisect_left(self.names, start + END) - bisect_left(self.names, start)

    def first(self, start: str, most: int) -> list[str]:
        low = bisect_left(self.names, start)
        return self.names[low : min(low + most, low + self.count(start))]
