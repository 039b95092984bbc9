# Reads what it is given.
import sys

print(repr(sys.stdin.read()))
