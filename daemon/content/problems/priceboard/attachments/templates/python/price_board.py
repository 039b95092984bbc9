class PriceBoard:
    """A board of prices with undo, redo and groups of changes."""

    def __init__(self, depth: int) -> None:
        """Start with every stall at 0; at most `depth` steps can be taken back."""

    def write(self, stall: int, price: int) -> int:
        """Change a price; return the one before."""

    def read(self, stall: int) -> int:
        """Return the price that a stall shows."""

    def begin(self) -> None:
        """Open a group."""

    def end(self) -> None:
        """Close the group."""

    def undo(self) -> int:
        """Take the newest step back; return the number of its writes, or 0."""

    def redo(self) -> int:
        """Do the step again that was taken back last; return the number of its writes, or 0."""
