class SettingBook:
    """Erasing takes the line that holds at the second."""

    def __init__(self):
        self.rooms = {}

    def note(self, room, second, degrees):
        self.rooms.setdefault(room, {})[second] = degrees

    def erase(self, room, second):
        found = self.rooms.get(room, {})
        past = [at for at in found if at <= second]
        if not past:
            return False
        del found[max(past)]
        return True

    def degrees_at(self, room, second):
        found = self.rooms.get(room, {})
        past = [at for at in found if at <= second]
        return found[max(past)] if past else 999
