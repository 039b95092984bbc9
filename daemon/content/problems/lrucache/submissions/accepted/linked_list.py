class Node:
    __slots__ = ("key", "value", "older", "newer")

    def __init__(self, key=0, value=0):
        self.key = key
        self.value = value
        self.older = self.newer = self


class LRUCache:
    """A dictionary finds the node of a key; a ring of nodes keeps the order of use."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.nodes = {}
        # One node that holds no key: its `newer` is the oldest, its `older` the newest.
        self.ring = Node()

    def get(self, key: int) -> int:
        node = self.nodes.get(key)
        if node is None:
            return -1
        self._unlink(node)
        self._append(node)
        return node.value

    def put(self, key: int, value: int) -> None:
        node = self.nodes.get(key)
        if node is not None:
            self._unlink(node)
        else:
            if len(self.nodes) == self.capacity:
                oldest = self.ring.newer
                self._unlink(oldest)
                del self.nodes[oldest.key]
            node = self.nodes[key] = Node(key)
        node.value = value
        self._append(node)

    def _unlink(self, node: Node) -> None:
        node.older.newer = node.newer
        node.newer.older = node.older

    def _append(self, node: Node) -> None:
        newest = self.ring.older
        node.older, node.newer = newest, self.ring
        newest.newer = self.ring.older = node
