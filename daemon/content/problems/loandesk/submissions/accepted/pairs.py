class LoanDesk:
    """Walks one list of pairs on every call: simple, and slower."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.loans = []

    def lend(self, tool: int, person: int) -> int:
        if self.holder(tool) or self.held(person) >= self.limit:
            return -1
        self.loans.append((tool, person))
        return self.held(person)

    def give_back(self, tool: int, person: int) -> int:
        if (tool, person) not in self.loans:
            return -1
        self.loans.remove((tool, person))
        return self.held(person)

    def holder(self, tool: int) -> int:
        for thing, owner in self.loans:
            if thing == tool:
                return owner
        return 0

    def held(self, person: int) -> int:
        return len([1 for _, owner in self.loans if owner == person])
