from bisect import bisect_left, bisect_right


class SettingBook:
    """Tells rooms apart by their first ten letters."""

    def __init__(self):
        self.rooms = {}

    def note(self, room, second, degrees):
        seconds, values = self.rooms.setdefault(room[:10], ([], []))
        place = bisect_left(seconds, second)
        if place < len(seconds) and seconds[place] == second:
            values[place] = degrees
        else:
            seconds.insert(place, second)
            values.insert(place, degrees)

    def erase(self, room, second):
        seconds, values = self.rooms.get(room[:10], ([], []))
        place = bisect_left(seconds, second)
        if place == len(seconds) or seconds[place] != second:
            return False
        del seconds[place], values[place]
        return True

    def degrees_at(self, room, second):
        seconds, values = self.rooms.get(room[:10], ([], []))
        place = bisect_right(seconds, second)
        return values[place - 1] if place else 999
