class Station:
    """The memory of a station that gives away its middle reading."""

    def __init__(self, room: int) -> None:
        """Start with no reading and with room for `room` of them."""

    def add(self, level: int) -> bool:
        """Keep a reading; say whether there was room for it."""

    def middle(self) -> int | None:
        """Return the middle reading, or None if there is none."""

    def send(self) -> int | None:
        """Take the middle reading out and return it, or return None."""
