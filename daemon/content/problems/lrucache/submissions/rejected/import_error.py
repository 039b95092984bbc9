from lru_helpers import RecencyMap


class LRUCache(RecencyMap):
    """Needs a module that does not exist here."""
