class Node:
    __slots__ = ("below", "names", "ends")

    def __init__(self) -> None:
        self.below = {}
        # The number of names in this part of the tree, and whether one ends here.
        self.names = 0
        self.ends = False


class Register:
    """Lists no more than a hundred names, whatever is asked for."""

    def __init__(self) -> None:
        self.root = Node()

    def add(self, name: str) -> bool:
        node = self._find(name)
        if node is not None and node.ends:
            return False
        node = self.root
        node.names += 1
        for letter in name:
            node = node.below.setdefault(letter, Node())
            node.names += 1
        node.ends = True
        return True

    def remove(self, name: str) -> bool:
        found = self._find(name)
        if found is None or not found.ends:
            return False
        found.ends = False
        node = self.root
        node.names -= 1
        for letter in name:
            child = node.below[letter]
            child.names -= 1
            if child.names == 0:
                del node.below[letter]
                break
            node = child
        return True

    def count(self, start: str) -> int:
        node = self._find(start)
        return node.names if node is not None else 0

    def first(self, start: str, most: int) -> list[str]:
        found = []
        node = self._find(start)
        if node is not None:
            self._collect(node, start, most, found)
        return found

    def _find(self, text: str) -> Node | None:
        node = self.root
        for letter in text:
            node = node.below.get(letter)
            if node is None:
                return None
        return node

    def _collect(self, node: Node, text: str, most: int, found: list[str]) -> None:
        if len(found) >= min(most, 100):
            return
        if node.ends:
            found.append(text)
        for letter in sorted(node.below):
            self._collect(node.below[letter], text + letter, most, found)
