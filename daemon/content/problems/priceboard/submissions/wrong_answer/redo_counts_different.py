from collections import deque


class PriceBoard:
    """Counts equal writes of a group once when it does them again."""

    def __init__(self, depth: int) -> None:
        self.prices = {}
        self.done = deque(maxlen=depth)
        self.undone = []
        self.group = None

    def write(self, stall: int, price: int) -> int:
        old = self.read(stall)
        self.prices[stall] = price
        self.undone.clear()
        if self.group is None:
            self.done.append([(stall, old, price)])
        else:
            self.group.append((stall, old, price))
        return old

    def read(self, stall: int) -> int:
        return self.prices.get(stall, 0)

    def begin(self) -> None:
        if self.group is None:
            self.group = []

    def end(self) -> None:
        if self.group:
            self.done.append(self.group)
        self.group = None

    def undo(self) -> int:
        if self.group is not None or not self.done:
            return 0
        step = self.done.pop()
        for stall, old, _ in reversed(step):
            self.prices[stall] = old
        self.undone.append(step)
        return len(step)

    def redo(self) -> int:
        if self.group is not None or not self.undone:
            return 0
        step = self.undone.pop()
        for stall, _, new in step:
            self.prices[stall] = new
        self.done.append(step)
        return len(set(step))
