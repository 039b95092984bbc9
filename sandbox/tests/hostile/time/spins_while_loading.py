# Squares numbers for ever before it would come to its work.
squares = [0] * 10_000
while True:
    for place in range(len(squares)):
        squares[place] = place * place
