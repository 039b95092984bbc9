class LoanDesk:
    """Keeps a diary and works everything out anew on each call."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.diary = []

    def _out(self) -> list:
        """The loans after which the tool did not come back."""
        out = []
        for at, (kind, tool, person) in enumerate(self.diary):
            later = self.diary[at + 1 :]
            if kind == "out" and not [1 for entry in later if entry[:2] == ("back", tool)]:
                out.append((tool, person))
        return out

    def lend(self, tool: int, person: int) -> int:
        if self.holder(tool) or self.held(person) >= self.limit:
            return -1
        self.diary.append(("out", tool, person))
        return self.held(person)

    def give_back(self, tool: int, person: int) -> int:
        if (tool, person) not in self._out():
            return -1
        self.diary.append(("back", tool, person))
        return self.held(person)

    def holder(self, tool: int) -> int:
        return dict(self._out()).get(tool, 0)

    def held(self, person: int) -> int:
        return sum(owner == person for _, owner in self._out())
