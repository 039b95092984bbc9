def fullest(visits: "list[list[int]]") -> "list[int]":
    """Return the greatest number of people in the tower at once, and when it was first reached."""
