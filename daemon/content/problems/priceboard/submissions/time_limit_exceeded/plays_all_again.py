class PriceBoard:
    """Keeps every call and plays the whole day again for each answer."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.day = []

    def write(self, stall: int, price: int) -> int:
        return self._play(("write", stall, price))

    def read(self, stall: int) -> int:
        board, _ = self._board(self.day)
        return board.get(stall, 0)

    def begin(self) -> None:
        self.day.append(("begin", 0, 0))

    def end(self) -> None:
        self.day.append(("end", 0, 0))

    def undo(self) -> int:
        return self._play(("undo", 0, 0))

    def redo(self) -> int:
        return self._play(("redo", 0, 0))

    def _play(self, call: tuple) -> int:
        self.day.append(call)
        return self._board(self.day)[1]

    def _board(self, day: list) -> tuple:
        """What the board shows after these calls, and the answer of the last one."""
        base, steps, back, group, answer = {}, [], [], None, 0
        for kind, stall, price in day:
            answer = 0
            if kind == "begin":
                group = group or []
                continue
            if kind == "end":
                steps += [group] if group else []
                group = None
            board = dict(base)
            for step in [*steps, group or []]:
                board.update(step)
            if kind == "write":
                answer = board.get(stall, 0)
                back = []
                if group is None:
                    steps.append([(stall, price)])
                else:
                    group.append((stall, price))
            elif kind == "undo" and group is None and steps:
                back.append(steps.pop())
                answer = len(back[-1])
            elif kind == "redo" and group is None and back:
                steps.append(back.pop())
                answer = len(steps[-1])
            while len(steps) > self.depth:
                base.update(steps.pop(0))
        board = dict(base)
        for step in [*steps, group or []]:
            board.update(step)
        return board, answer
