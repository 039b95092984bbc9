class Coast:
    """Each lighthouse has the set of all in its group; sets are joined when a cable is laid."""

    def __init__(self, count):
        self.left = count
        self.group = {number: {number} for number in range(1, count + 1)}

    def lay(self, one, other):
        if one not in self.group or other not in self.group:
            return False
        if other in self.group[one]:
            return False
        both = self.group[one] | self.group[other]
        for number in both:
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
        return min(self.group.get(one, ()), default=0)
