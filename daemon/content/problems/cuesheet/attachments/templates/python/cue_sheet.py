def first_slip(text: str) -> int:
    """Return the place of the first slip in a cue sheet, or -1 if there is none."""
