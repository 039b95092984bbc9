def rotate_left(items, places):
    """Moves the first so many items to the end."""
    if not items:
        return []
    places = places % len(items)
    return items[:places] + items[places:]
