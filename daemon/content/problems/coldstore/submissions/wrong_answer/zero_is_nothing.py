class SettingBook:
    """Zero degrees are taken for nothing."""

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
        past = [at for at in found if at <= second]
        return (found[max(past)] or 999) if past else 999
