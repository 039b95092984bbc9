class Register:
    """The names of the boats that lie in a harbour."""

    def __init__(self) -> None:
        """Start without names."""

    def add(self, name: str) -> bool:
        """Enter a name; say whether it is new."""

    def remove(self, name: str) -> bool:
        """Strike a name out; say whether it was there."""

    def count(self, start: str) -> int:
        """Return how many names begin with `start`."""

    def first(self, start: str, most: int) -> list[str]:
        """Return the first names that begin with `start`, at most `most`."""
