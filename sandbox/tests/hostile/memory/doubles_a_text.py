# Doubles a text for ever.
text = "x" * 10
while True:
    text += text
