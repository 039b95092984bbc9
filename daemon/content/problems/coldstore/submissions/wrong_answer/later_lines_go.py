class SettingBook:
    """A new line takes all later lines out."""

    def __init__(self):
        self.rooms = {}

    def note(self, room, second, degrees):
        found = self.rooms.get(room, {})
        self.rooms[room] = {at: found[at] for at in found if at < second}
        self.rooms[room][second] = degrees

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
