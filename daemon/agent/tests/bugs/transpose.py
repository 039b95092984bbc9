def transpose(rows):
    """Rows as columns."""
    if not rows:
        return []
    columns = []
    for column in range(len(rows)):
        columns.append([row[column] for row in rows])
    return columns
