class Coast:
    """Lighthouses that are joined by cables, one cable at a time."""

    def __init__(self, count: int) -> None:
        """Start with this many lighthouses and no cables."""

    def lay(self, one: int, other: int) -> bool:
        """Lay a cable; return whether it made one group out of two."""

    def can_talk(self, one: int, other: int) -> bool:
        """Return whether the two can talk."""

    def size(self, one: int) -> int:
        """Return how many are in the group of this one."""

    def groups(self) -> int:
        """Return how many groups there are."""

    def speaker(self, one: int) -> int:
        """Return the speaker of the group of this one."""
