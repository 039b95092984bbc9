# Writes bytes that are no text in any encoding.
import posix

posix.write(1, b"\xff\xfe\xed\xa0\x80\n")
