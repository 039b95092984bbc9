def binary_places(number):
    """The places of the ones in a binary number, the lowest first."""
    places = []
    place = 0
    while number:
        if number | 1:
            places.append(place)
        number >>= 1
        place += 1
    return places
