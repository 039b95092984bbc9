class Keeper:
    """The book of a beach with chairs for hire."""

    def __init__(self, chairs: int) -> None:
        """Start with the chairs 1 to `chairs`, all of them free."""

    def take(self, now: int, until: int) -> int:
        """Hire out the lowest free chair; return its number, or 0."""

    def renew(self, now: int, chair: int, until: int) -> bool:
        """Let a hire end at another time; say whether it could be done."""

    def leave(self, now: int, chair: int) -> bool:
        """End a hire; say whether there was one."""

    def free(self, now: int) -> int:
        """Return how many chairs are free."""
