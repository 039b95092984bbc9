class LoanDesk:
    """Compares numbers as objects: Python keeps one object for each small number only."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.holders = {}
        self.counts = {}

    def lend(self, tool: int, person: int) -> int:
        count = self.counts.get(person, 0)
        if tool in self.holders or count is self.limit:
            return -1
        self.holders[tool] = person
        self.counts[person] = count + 1
        return count + 1

    def give_back(self, tool: int, person: int) -> int:
        if self.holders.get(tool) != person:
            return -1
        del self.holders[tool]
        self.counts[person] -= 1
        return self.counts[person]

    def holder(self, tool: int) -> int:
        return self.holders.get(tool, 0)

    def held(self, person: int) -> int:
        return self.counts.get(person, 0)
