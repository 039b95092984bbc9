class PriceBoard:
    """Copies the whole board at each step: simple, and slower."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.boards = [({}, 0)]
        self.at = 0
        self.group = None

    def write(self, stall: int, price: int) -> int:
        board, writes = self.group or (self.boards[self.at][0], 0)
        del self.boards[self.at + 1 :]
        changed = {**board, stall: price}, writes + 1
        if self.group:
            self.group = changed
        else:
            self._keep(changed)
        return board.get(stall, 0)

    def read(self, stall: int) -> int:
        board, _ = self.group or self.boards[self.at]
        return board.get(stall, 0)

    def begin(self) -> None:
        self.group = self.group or (self.boards[self.at][0], 0)

    def end(self) -> None:
        if self.group and self.group[1]:
            self._keep(self.group)
        self.group = None

    def undo(self) -> int:
        if self.group or self.at == 0:
            return 0
        self.at -= 1
        return self.boards[self.at + 1][1]

    def redo(self) -> int:
        if self.group or self.at + 1 == len(self.boards):
            return 0
        self.at += 1
        return self.boards[self.at][1]

    def _keep(self, board: tuple) -> None:
        self.boards.append(board)
        if len(self.boards) > self.depth + 1:
            del self.boards[0]
        self.at = len(self.boards) - 1
