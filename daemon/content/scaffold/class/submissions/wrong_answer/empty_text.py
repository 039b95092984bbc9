class Birdbook:
    def __init__(self):
        self.visits = {}

    def see(self, bird):
        self.visits[bird] = self.visits.get(bird, 0) + 1

    def count(self, bird):
        return self.visits.get(bird, 0)

    def most(self):
        if not self.visits:
            return ""
        return max(self.visits, key=self.visits.get)
