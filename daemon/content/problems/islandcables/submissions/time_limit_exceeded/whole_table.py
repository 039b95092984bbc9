class Coast:
    """After each cable, a table of who can talk to whom is worked out anew."""

    def __init__(self, count):
        self.numbers = range(1, count + 1)
        self.talk = [[row == column for column in range(count + 1)] for row in range(count + 1)]

    def lay(self, one, other):
        if one not in self.numbers or other not in self.numbers or self.talk[one][other]:
            return False
        talk = self.talk
        talk[one][other] = talk[other][one] = True
        for middle in self.numbers:
            for row in self.numbers:
                for column in self.numbers:
                    if talk[row][middle] and talk[middle][column]:
                        talk[row][column] = True
        return True

    def can_talk(self, one, other):
        return one in self.numbers and other in self.numbers and self.talk[one][other]

    def size(self, one):
        return sum(self.talk[one][1:]) if one in self.numbers else 0

    def groups(self):
        return sum(self.speaker(number) == number for number in self.numbers)

    def speaker(self, one):
        return self.talk[one].index(True, 1) if one in self.numbers else 0
