def plan(steps: "list[str]", needs: "list[list[str]]") -> "list[str]":
    """Return the steps in the order in which the crew does them."""
