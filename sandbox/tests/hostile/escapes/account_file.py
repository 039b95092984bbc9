# Reads the list of accounts.
try:
    print(open("/etc/passwd").read(), end="")
except OSError as error:
    print(error.strerror)
