class RateGate:
    """A gate that admits each badge a limited number of times within a window."""

    def __init__(self, limit: int, window: int) -> None:
        """Nobody was here yet; a badge has `limit` visits in any `window` minutes."""

    def enter(self, badge: int, time: int) -> bool:
        """Return whether the badge is admitted at this time."""

    def free(self, badge: int, time: int) -> int:
        """Return how many more visits the badge has at this time."""
