class LRUCache:
    """A cache of fixed size that drops the least recently used key."""

    def __init__(self, capacity: int) -> None:
        """Start empty, with room for `capacity` keys."""

    def get(self, key: int) -> int:
        """Return the value of `key`, or -1 if it is not in the cache."""

    def put(self, key: int, value: int) -> None:
        """Store `value` under `key`; a full cache makes room first."""
