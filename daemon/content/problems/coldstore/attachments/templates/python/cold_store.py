class SettingBook:
    """How cold each room has to be, from which second on."""

    def __init__(self) -> None:
        """Start with an empty book."""

    def note(self, room: str, second: int, degrees: int) -> None:
        """From this second on, the room is kept at these degrees."""

    def erase(self, room: str, second: int) -> bool:
        """Take the line at exactly this second out; return whether there was one."""

    def degrees_at(self, room: str, second: int) -> int:
        """Return the degrees that hold in the room at this second, or 999."""
