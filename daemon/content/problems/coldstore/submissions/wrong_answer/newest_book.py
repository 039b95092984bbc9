class SettingBook:
    """Every call works on the book that was made last."""

    rooms = {}

    def __init__(self):
        SettingBook.rooms = {}

    def note(self, room, second, degrees):
        self.rooms.setdefault(room, {})[second] = degrees

    def erase(self, room, second):
        found = self.rooms.get(room, {})
        if second not in found:
            return False
        del found[second]
        return True

    def degrees_at(self, room, second):
        found = self.rooms.get(room, {})
        past = [at for at in found if at <= second]
        return found[max(past)] if past else 999
