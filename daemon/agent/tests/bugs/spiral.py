def spiral(grid):
    """The cells of a grid from outside to inside, clockwise."""
    cells = []
    while grid:
        cells.extend(grid[0])
        grid = [list(row) for row in zip(*grid)][::-1]
    return cells
