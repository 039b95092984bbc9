class SettingBook:
    """A question steps back one second at a time."""

    def __init__(self):
        self.rooms = {}

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
        while second >= 0 and found:
            if second in found:
                return found[second]
            second -= 1
        return 999
