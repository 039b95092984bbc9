class Birdbook:
    def __init__(self):
        pass

    def see(self, bird: str) -> None:
        pass

    def count(self, bird: str) -> int:
        pass

    def most(self) -> str:
        pass
