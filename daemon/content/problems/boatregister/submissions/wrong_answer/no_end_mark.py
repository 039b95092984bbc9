class Register:
    """A tree of letters that does not know where a name ends."""

    def __init__(self) -> None:
        self.root = {}

    def add(self, name: str) -> bool:
        node, new = self.root, False
        for letter in name:
            new = new or letter not in node
            node = node.setdefault(letter, {})
        return new

    def remove(self, name: str) -> bool:
        path = [self.root]
        for letter in name:
            if letter not in path[-1]:
                return False
            path.append(path[-1][letter])
        if path[-1]:
            return False
        for node, letter in zip(path[-2::-1], name[::-1]):
            del node[letter]
            if node:
                break
        return True

    def count(self, start: str) -> int:
        return len(self._below(start))

    def first(self, start: str, most: int) -> list[str]:
        return self._below(start)[:most]

    def _below(self, start: str) -> list[str]:
        node = self.root
        for letter in start:
            if letter not in node:
                return []
            node = node[letter]
        if not node:
            return [start] if start else []
        return [name for letter in sorted(node) for name in self._below(start + letter)]
