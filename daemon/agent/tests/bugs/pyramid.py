def pyramid(rows):
    """The rows of Pascal's triangle."""
    triangle = []
    for size in range(rows):
        row = [1] * (size + 1)
        for at in range(1, size):
            row[at] = triangle[size - 1][at - 1] + triangle[size - 1][at - 1]
        triangle.append(row)
    return triangle
