class LoanDesk:
    """The record of a desk that lends tools: who holds what."""

    def __init__(self, limit: int) -> None:
        """Start with all tools at the desk; a person may hold `limit` of them."""

    def lend(self, tool: int, person: int) -> int:
        """Hand the tool out; return how many the person then holds, or -1 if refused."""

    def give_back(self, tool: int, person: int) -> int:
        """Take the tool back; return how many the person then holds, or -1 if refused."""

    def holder(self, tool: int) -> int:
        """Return who holds the tool, or 0 if it is at the desk."""

    def held(self, person: int) -> int:
        """Return how many tools the person holds."""
