class Coast:
    """The speaker is that of the lighthouse that was named first."""

    def __init__(self, count):
        self.left = count
        self.head = list(range(count + 1))
        self.group = {number: {number} for number in range(1, count + 1)}

    def lay(self, one, other):
        if one not in self.group or other not in self.group:
            return False
        if other in self.group[one]:
            return False
        both = self.group[one] | self.group[other]
        head = self.head[one]
        for number in both:
            self.head[number] = head
            self.group[number] = both
        self.left -= 1
        return True

    def can_talk(self, one, other):
        return other in self.group.get(one, ())

    def size(self, one):
        return len(self.group.get(one, ()))

    def groups(self):
        return self.left

    def speaker(self, one):
        return self.head[one] if one in self.group else 0
