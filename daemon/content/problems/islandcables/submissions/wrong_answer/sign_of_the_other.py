class Coast:
    """Loses the sign of the second number when somebody asks who can talk."""

    def __init__(self, count):
        self.count = self.left = count
        self.link = list(range(count + 1))
        self.sizes = [1] * (count + 1)
        self.smallest = list(range(count + 1))

    def lay(self, one, other):
        one, other = self._root(one), self._root(other)
        if one == other or 0 in (one, other):
            return False
        if self.sizes[one] < self.sizes[other]:
            one, other = other, one
        self.link[other] = one
        self.sizes[one] += self.sizes[other]
        self.smallest[one] = min(self.smallest[one], self.smallest[other])
        self.left -= 1
        return True

    def can_talk(self, one, other):
        root = self._root(one)
        return root != 0 and root == self._root(abs(other))

    def size(self, one):
        root = self._root(one)
        return self.sizes[root] if root else 0

    def groups(self):
        return self.left

    def speaker(self, one):
        return self.smallest[self._root(one)]

    def _root(self, number):
        if not 1 <= number <= self.count:
            return 0
        while self.link[number] != number:
            # Each one on the way skips a step for the next time.
            self.link[number] = self.link[self.link[number]]
            number = self.link[number]
        return number
