from collections import defaultdict


class LoanDesk:
    """Everyone has a set of tools; a second table leads back."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.hands = defaultdict(set)
        self.where = {}

    def lend(self, tool: int, person: int) -> int:
        hand = self.hands[person]
        if tool in self.where or len(hand) == self.limit:
            return -1
        hand.add(tool)
        self.where[tool] = person
        return len(hand)

    def give_back(self, tool: int, person: int) -> int:
        hand = self.hands[person]
        if tool not in hand:
            return -1
        hand.remove(tool)
        del self.where[tool]
        return len(hand)

    def holder(self, tool: int) -> int:
        return self.where.get(tool, 0)

    def held(self, person: int) -> int:
        return len(self.hands[person])
