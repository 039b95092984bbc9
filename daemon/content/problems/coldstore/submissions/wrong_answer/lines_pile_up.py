from bisect import bisect_left, bisect_right


class SettingBook:
    """Keeps a replaced line below the new one, where it comes to light when one is erased."""

    def __init__(self):
        self.rooms = {}

    def note(self, room, second, degrees):
        seconds, values = self.rooms.setdefault(room, ([], []))
        place = bisect_right(seconds, second)
        seconds.insert(place, second)
        values.insert(place, degrees)

    def erase(self, room, second):
        seconds, values = self.rooms.get(room, ([], []))
        place = bisect_left(seconds, second)
        if place == len(seconds) or seconds[place] != second:
            return False
        del seconds[place], values[place]
        return True

    def degrees_at(self, room, second):
        seconds, values = self.rooms.get(room, ([], []))
        place = bisect_right(seconds, second)
        return values[place - 1] if place else 999
