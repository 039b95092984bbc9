# Clears the terminal and renames its window.
print("\x1b[2J\x1b]0;mine\x07\x1b[8mhidden")
